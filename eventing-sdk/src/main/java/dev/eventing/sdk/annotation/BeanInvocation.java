package dev.eventing.sdk.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerResources;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a handler through the bean that the context returns, so that the bean's
 * interceptors apply.
 */
final class BeanInvocation implements HandlerMethod.Invocation {

	private final Object bean;

	private final Method method;

	private final HandlerSignature signature;

	private BeanInvocation(Object bean, Method method, HandlerSignature signature) {
		this.bean = bean;
		this.method = method;
		this.signature = signature;
	}

	/**
	 * Creates an invocation of a method of a bean. The bean may be a proxy.
	 * @throws InvalidHandlerException if the method cannot be called through the bean
	 */
	static BeanInvocation of(HandlerBean handlers, Method method, HandlerSignature signature) {
		return new BeanInvocation(handlers.bean(), invocable(handlers, method), signature);
	}

	/**
	 * Returns the method of the bean that calls a method of the user's class.
	 * @throws InvalidHandlerException if the method cannot be called through the bean
	 */
	static Method invocable(HandlerBean handlers, Method method) {
		Object bean = handlers.bean();
		checkCallable(method);
		if (AopUtils.isCglibProxy(bean) && !isOverridable(method, handlers.targetClass())) {
			// The method would run on the proxy object itself, whose fields are all null.
			throw new InvalidHandlerException("its bean is a subclass (CGLIB) proxy, which cannot override the method",
					"making it public and not final");
		}
		Method invocable = select(bean, method);
		ReflectionUtils.makeAccessible(invocable);
		return invocable;
	}

	private static void checkCallable(Method method) {
		if (Modifier.isStatic(method.getModifiers())) {
			throw new InvalidHandlerException("it is static, so it cannot be called on its bean",
					"making it an instance method");
		}
		if (Modifier.isPrivate(method.getModifiers())) {
			throw new InvalidHandlerException("it is private, so no proxy of its bean can intercept it",
					"making it public or package-private");
		}
	}

	private static boolean isOverridable(Method method, Class<?> targetClass) {
		int modifiers = method.getModifiers();
		boolean visible = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)
				|| ClassUtils.getPackageName(method.getDeclaringClass()).equals(ClassUtils.getPackageName(targetClass));
		return visible && !Modifier.isFinal(modifiers);
	}

	private static Method select(Object bean, Method method) {
		try {
			return AopUtils.selectInvocableMethod(method, bean.getClass());
		}
		catch (IllegalStateException ex) {
			throw new InvalidHandlerException(
					"its bean is an interface-based (JDK) proxy, and none of its interfaces has the method",
					"declaring the method in an interface of " + method.getDeclaringClass().getSimpleName()
							+ ", or subclass (CGLIB) proxies with proxyTargetClass = true");
		}
	}

	@Override
	public void invoke(List<Event<?>> events, HandlerResources resources) throws Exception {
		try {
			this.method.invoke(this.bean, this.signature.arguments(events, resources));
		}
		catch (InvocationTargetException ex) {
			rethrow(ex.getTargetException());
		}
	}

	static void rethrow(Throwable thrown) throws Exception {
		// A proxy wraps a checked exception that the method does not declare. Kotlin code
		// can throw one.
		Throwable own = (thrown instanceof UndeclaredThrowableException wrapped && wrapped.getCause() != null)
				? wrapped.getCause() : thrown;
		if (own instanceof Exception exception) {
			throw exception;
		}
		if (own instanceof Error error) {
			throw error;
		}
		throw new UndeclaredThrowableException(own);
	}

}
