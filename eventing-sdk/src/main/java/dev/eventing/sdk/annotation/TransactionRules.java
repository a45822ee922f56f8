package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Set;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * What would take a handler's changes out of the transaction that holds its event's row
 * in {@code processed_events}.
 */
final class TransactionRules {

	private static final Set<Integer> LEAVING = Set.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER);

	private static final AnnotationTransactionAttributeSource ATTRIBUTES = new AnnotationTransactionAttributeSource(
			false);

	private TransactionRules() {
	}

	/**
	 * Checks the annotations of a handler and its class.
	 * @throws InvalidHandlerException if they contradict its being a handler
	 */
	static void check(Method method, Class<?> targetClass) {
		if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class)) {
			throw new InvalidHandlerException(
					"it is @Async, so it would run outside its event's transaction, which commits without it",
					"removing @Async and setting concurrency");
		}
		TransactionAttribute attribute = ATTRIBUTES.getTransactionAttribute(method, targetClass);
		if (attribute != null && LEAVING.contains(attribute.getPropagationBehavior())) {
			throw new InvalidHandlerException(
					"its @Transactional leaves the transaction of its event, so that both would not commit together",
					"propagation = REQUIRED, or removing @Transactional");
		}
	}

}
