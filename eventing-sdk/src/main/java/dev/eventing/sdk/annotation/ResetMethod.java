package dev.eventing.sdk.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import dev.eventing.sdk.projector.ReadModel;

/**
 * Calls a {@link ProjectionReset} method through the bean that the context returns.
 *
 * @param bean the bean, which may be a proxy
 * @param method the method
 */
record ResetMethod(Object bean, Method method) implements ReadModel.Reset {

	/**
	 * Creates the call of a method of a bean.
	 * @throws InvalidHandlerException if the method has parameters, or cannot be called
	 * through the bean
	 */
	static ResetMethod of(HandlerBean handlers, Method method) {
		if (method.getParameterCount() > 0) {
			throw new InvalidHandlerException("its @ProjectionReset method " + method.getName() + " has parameters",
					"a method without parameters");
		}
		return new ResetMethod(handlers.bean(), BeanInvocation.invocable(handlers, method));
	}

	@Override
	public void reset() throws Exception {
		try {
			this.method.invoke(this.bean);
		}
		catch (InvocationTargetException ex) {
			BeanInvocation.rethrow(ex.getTargetException());
		}
	}

}
