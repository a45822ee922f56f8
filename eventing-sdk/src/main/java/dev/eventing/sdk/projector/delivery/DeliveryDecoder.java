package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * Reads an event's envelope, and determines its handler and its ordering key. Does not
 * throw, whatever the event contains. Thread-safe.
 */
public final class DeliveryDecoder {

	private final ProjectorEndpoint endpoint;

	private final EventReader reader;

	private final @Nullable Expression key;

	public DeliveryDecoder(ProjectorEndpoint endpoint, EventReader reader) {
		this.endpoint = endpoint;
		this.reader = reader;
		String expression = endpoint.options().order().key();
		this.key = (expression != null) ? new SpelExpressionParser().parseExpression(expression) : null;
	}

	/** Whether a handler listens to the subject, for any event type. */
	public boolean listensTo(String subject) {
		return this.endpoint.handlers().stream().anyMatch((handler) -> handler.subject().matches(subject));
	}

	public Work receive(Origin origin) {
		String subject = origin.subject();
		ReadResult read = origin.read(this.reader, (type) -> this.endpoint.tenantToken(type, subject));
		if (!(read instanceof ReadResult.Readable readable)) {
			return new Work(origin, read, null, null);
		}
		HandlerMethod handler = this.endpoint.handlerOf(readable.event().type(), subject);
		Work work = new Work(origin, read, handler, laneKey(readable.event(), readable.event().orderingKey()));
		return (this.key != null && handler != null) ? keyed(work, this.key) : work;
	}

	private Work keyed(Work work, Expression expression) {
		try {
			Object value = expression.getValue(SimpleEvaluationContext.forReadOnlyDataBinding().build(), work.bound());
			return new Work(work.origin(), work.read(), work.handler(),
					laneKey(work.event(), (value != null) ? value.toString() : null));
		}
		catch (PayloadBindingException ex) {
			// its lane finds the same error and reports it; without the payload it has no
			// key
			return new Work(work.origin(), work.read(), work.handler(), null);
		}
		catch (RuntimeException | Error ex) {
			FailureClassifier.rethrowIfOfTheProcess(ex);
			Event<UnboundPayload> event = work.event();
			String detail = "The key expression '" + expression.getExpressionString() + "' fails on this event: "
					+ ex.getClass().getSimpleName() + ".";
			return new Work(work.origin(), new ReadResult.Unreadable(ReadResult.Reason.INVALID_KEY, detail, event.id(),
					event.tenantId(), event.type(), null), null, null);
		}
	}

	/** Includes the tenant, so that keys of two tenants are never equal. */
	private static @Nullable String laneKey(Event<?> event, @Nullable String key) {
		return (key != null) ? event.tenantId().value() + '/' + key : null;
	}

}
