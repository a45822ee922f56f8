package dev.eventing.sdk.projection.reconcile;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.projection.Reconciliation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * The checks of an application, known when all its singletons have been created.
 * Thread-safe from then on.
 */
public final class DeclaredChecks implements SmartInitializingSingleton, BeanFactoryAware {

	private @Nullable ConfigurableListableBeanFactory beans;

	private volatile Map<String, DeclaredCheck> checks = Map.of();

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		Assert.isInstanceOf(ConfigurableListableBeanFactory.class, beanFactory);
		this.beans = (ConfigurableListableBeanFactory) beanFactory;
	}

	/**
	 * Finds the checks. Creates lazy beans that have some.
	 * @throws InvalidDeclarationException with all problems
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory context = this.beans;
		Assert.state(context != null, "No bean factory has been set");
		Map<String, DeclaredCheck> found = new TreeMap<>();
		List<String> problems = new ArrayList<>();
		for (String name : context.getBeanNamesForType(Object.class, true, false)) {
			if (!ScopedProxyUtils.isScopedTarget(name)) {
				methods(context, name)
					.forEach((method, annotation) -> add(context, name, method, annotation, found, problems));
			}
		}
		if (!problems.isEmpty()) {
			throw new InvalidDeclarationException("The checks of read models are not valid:",
					"Change the methods above. Each line has what to consider.", problems);
		}
		this.checks = found;
	}

	private static Map<Method, Reconciliation> methods(ConfigurableListableBeanFactory context, String name) {
		Class<?> type = AutoProxyUtils.determineTargetClass(context, name);
		if (type == null || !AnnotationUtils.isCandidateClass(type, Reconciliation.class)) {
			return Map.of();
		}
		return MethodIntrospector.selectMethods(ClassUtils.getUserClass(type),
				(MetadataLookup<Reconciliation>) (method) -> AnnotatedElementUtils.findMergedAnnotation(method,
						Reconciliation.class));
	}

	private static void add(ConfigurableListableBeanFactory context, String bean, Method method,
			Reconciliation annotation, Map<String, DeclaredCheck> found, List<String> problems) {
		try {
			DeclaredCheck check = new CheckReader(context).read(context.getBean(bean), method, annotation);
			if (found.putIfAbsent(check.check().name(), check) != null) {
				throw new IllegalArgumentException(
						"another check has the name '" + check.check().name() + "'. Consider another name.");
			}
		}
		catch (IllegalArgumentException ex) {
			problems.add("@Reconciliation method '%s' of bean '%s': %s"
				.formatted(ClassUtils.getQualifiedMethodName(method), bean, ex.getMessage()));
		}
	}

	/** All checks, by name. */
	Collection<DeclaredCheck> all() {
		return this.checks.values();
	}

	/**
	 * Returns a check.
	 * @throws UnknownNameException if there is none of that name
	 */
	DeclaredCheck require(String name) {
		DeclaredCheck check = this.checks.get(name);
		if (check == null) {
			throw new UnknownNameException("The application has no check '" + name + "'.", this.checks.keySet(),
					", or a method with @Reconciliation");
		}
		return check;
	}

}
