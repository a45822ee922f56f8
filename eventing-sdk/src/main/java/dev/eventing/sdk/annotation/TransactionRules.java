package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.StringUtils;

/**
 * Rejects handlers whose changes would not commit in the transaction that inserts the
 * event's row into {@code processed_events}.
 */
final class TransactionRules {

	private static final Set<Integer> LEAVING = Set.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER);

	private static final AnnotationTransactionAttributeSource ATTRIBUTES = new AnnotationTransactionAttributeSource(
			false);

	private final ConfigurableBeanFactory beanFactory;

	private final Supplier<@Nullable PlatformTransactionManager> manager;

	/**
	 * Creates the rules for the handlers of one context.
	 * @param beanFactory contains all transaction managers
	 * @param manager supplies the manager of the events' transactions, or null if it is
	 * unknown
	 */
	TransactionRules(ConfigurableBeanFactory beanFactory, Supplier<@Nullable PlatformTransactionManager> manager) {
		this.beanFactory = beanFactory;
		this.manager = manager;
	}

	/**
	 * Checks the annotations of a handler and its class.
	 * @throws InvalidHandlerException if the handler would not run in its event's
	 * transaction
	 */
	void check(Method method, Class<?> targetClass) {
		if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class)) {
			throw new InvalidHandlerException("it is @Async, so it would run outside its event's transaction",
					"removing @Async and setting concurrency");
		}
		TransactionAttribute attribute = ATTRIBUTES.getTransactionAttribute(method, targetClass);
		if (attribute != null && LEAVING.contains(attribute.getPropagationBehavior())) {
			throw new InvalidHandlerException(
					"its @Transactional does not join its event's transaction, so the two would not commit together",
					"propagation = REQUIRED, or removing @Transactional");
		}
		if (attribute != null) {
			checkManager(attribute, targetClass);
		}
	}

	/**
	 * With another manager the changes would commit separately, and again at each
	 * redelivery.
	 */
	private void checkManager(TransactionAttribute attribute, Class<?> targetClass) {
		String qualifier = qualifier(attribute, targetClass);
		PlatformTransactionManager own = this.manager.get();
		if (qualifier == null || own == null) {
			return;
		}
		TransactionManager named = find(qualifier);
		if (!isSame(named, own)) {
			throw new InvalidHandlerException("its @Transactional names the transaction manager '" + qualifier
					+ "', but its event's transaction has another manager, so the two would not commit together",
					"removing the name, or calling a service whose own transaction may run twice");
		}
	}

	/** Finds the qualifier in the same way as Spring's transaction interceptor. */
	private @Nullable String qualifier(TransactionAttribute attribute, Class<?> targetClass) {
		String said = attribute.getQualifier();
		if (StringUtils.hasText(said)) {
			return this.beanFactory.resolveEmbeddedValue(said);
		}
		return BeanFactoryAnnotationUtils.getQualifierValue(targetClass);
	}

	private TransactionManager find(String qualifier) {
		try {
			return BeanFactoryAnnotationUtils.qualifiedBeanOfType(this.beanFactory, TransactionManager.class,
					qualifier);
		}
		catch (BeansException ex) {
			throw new InvalidHandlerException(
					"its @Transactional names the transaction manager '" + qualifier + "', which does not exist",
					"removing the name");
		}
	}

	/** Two managers of one DataSource join each other's transactions. */
	private static boolean isSame(TransactionManager named, PlatformTransactionManager own) {
		return named == own
				|| (named instanceof ResourceTransactionManager one && own instanceof ResourceTransactionManager other
						&& one.getResourceFactory() == other.getResourceFactory());
	}

}
