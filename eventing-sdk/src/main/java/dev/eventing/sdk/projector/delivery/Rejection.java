package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.nats.Advisories.Advisory;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.jspecify.annotations.Nullable;

/**
 * Why no handler can be given an event.
 *
 * @param reason as a word for machines
 * @param failure in words for people, never with a piece of the payload
 */
public record Rejection(String reason, Failure failure) {

	/** Null for an event that its handler can be given. */
	public static @Nullable Rejection of(String projector, Work work) {
		if (work.read() instanceof ReadResult.Unreadable unreadable) {
			return new Rejection("UNREADABLE:" + unreadable.reason(),
					new Failure("Unreadable", unreadable.detail(), null));
		}
		if (work.givenUp() != null) {
			return work.givenUp();
		}
		if (work.handler() == null) {
			return new Rejection("UNKNOWN_TYPE",
					new Failure("UnknownType", "No handler of projector '" + projector + "' takes type '"
							+ work.event().type() + "' on subject '" + work.origin().subject() + "'.", null));
		}
		try {
			work.bound();
			return null;
		}
		catch (PayloadBindingException | StackOverflowError ex) {
			return new Rejection("UNREADABLE:PAYLOAD", Failure.of(ex));
		}
		catch (Error ex) {
			FailureClassifier.rethrowIfOfTheProcess(ex);
			// its handler's transaction meets the same, which is a failed attempt
			return null;
		}
	}

	/** What JetStream will not deliver again. */
	public static Rejection of(Advisory advisory) {
		if (advisory.terminated()) {
			String said = (advisory.reason() != null) ? ": " + advisory.reason() : "";
			return new Rejection("TERMINATED",
					new Failure("Terminated", "Somebody else terminated the delivery" + said, null));
		}
		return new Rejection("MAX_DELIVERIES", new Failure("MaxDeliveries",
				"The durable limits deliveries, and " + advisory.deliveries() + " were used up.", null));
	}

}
