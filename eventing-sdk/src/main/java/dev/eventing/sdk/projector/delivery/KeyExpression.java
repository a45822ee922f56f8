package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.Event;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** The expression by which a projector names the keys of its events. Thread-safe. */
final class KeyExpression implements KeySource {

	private final Expression expression;

	KeyExpression(String expression) {
		this.expression = new SpelExpressionParser().parseExpression(expression);
	}

	@Override
	public @Nullable String keyOf(Event<?> event) {
		return evaluate(SimpleEvaluationContext.forReadOnlyDataBinding().build(), event);
	}

	@Override
	public @Nullable String keyOfEnvelope(Event<?> event) {
		try {
			return evaluate(SimpleEvaluationContext
				.forPropertyAccessors(new NoPayload(), DataBindingPropertyAccessor.forReadOnlyAccess())
				.withAssignmentDisabled()
				.build(), event);
		}
		catch (EvaluationException ex) {
			return null;
		}
	}

	private @Nullable String evaluate(EvaluationContext context, Event<?> event) {
		Object value = this.expression.getValue(context, event);
		return (value != null) ? value.toString() : null;
	}

	@Override
	public String toString() {
		return "key expression '" + this.expression.getExpressionString() + "'";
	}

	/** Fails when the payload is read. */
	private static final class NoPayload implements PropertyAccessor {

		@Override
		public Class<?>[] getSpecificTargetClasses() {
			return new Class<?>[] { Event.class };
		}

		@Override
		public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
			return name.equals("payload");
		}

		@Override
		public TypedValue read(EvaluationContext context, @Nullable Object target, String name) throws AccessException {
			throw new AccessException("The payload is not known.");
		}

		@Override
		public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
			return false;
		}

		@Override
		public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object newValue)
				throws AccessException {
			throw new AccessException("An event is not changed.");
		}

	}

}
