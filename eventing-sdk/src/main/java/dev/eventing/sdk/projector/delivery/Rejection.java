package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.nats.Advisories.Advisory;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.jspecify.annotations.Nullable;

/**
 * Why an event cannot be passed to a handler.
 *
 * @param reason a constant for programs
 * @param failure a text for operators, without any part of the payload
 */
public record Rejection(String reason, Failure failure) {

	/** Returns the rejection of an event. Null if its handler can take it. */
	public static @Nullable Rejection of(ProjectorId projector, RoutedEvent routed) {
		if (routed.read() instanceof ReadResult.Unreadable unreadable) {
			return of(unreadable);
		}
		if (routed.isErased()) {
			return null;
		}
		if (routed.handler() == null) {
			return new Rejection("UNKNOWN_TYPE",
					new Failure(
							"UnknownType", "No handler of projector '" + projector + "' takes type '"
									+ routed.event().type() + "' on subject '" + routed.source().subject() + "'.",
							null));
		}
		try {
			routed.isDropped();
			return null;
		}
		catch (PayloadBindingException | StackOverflowError ex) {
			return new Rejection("UNREADABLE:PAYLOAD", Failure.of(ex));
		}
		catch (Error ex) {
			FailureClassifier.rethrowIfOfTheProcess(ex);
			// the same error occurs in the handler's transaction and is a failed attempt
			// there
			return null;
		}
	}

	private static Rejection of(ReadResult.Unreadable unreadable) {
		return new Rejection("UNREADABLE:" + unreadable.reason(), new Failure("Unreadable", unreadable.detail(), null));
	}

	/**
	 * Returns the rejection of an event whose edited payload names another one, or cannot
	 * be read. Null if it names this event, or this one has no tenant.
	 * @param edited the event with the edited payload
	 * @param letter the event of the letter
	 */
	public static @Nullable Rejection ofEdit(RoutedEvent edited, @Nullable EventKey letter) {
		if (letter == null || letter.equals(edited.ledgerKey())) {
			return null;
		}
		if (edited.read() instanceof ReadResult.Unreadable unreadable) {
			return of(unreadable);
		}
		return new Rejection("OTHER_EVENT", new Failure("OtherEvent",
				"The edited payload has event id '" + edited.event().id() + "' and tenant '" + edited.event().tenantId()
						+ "', but the letter has event id '" + letter.eventId() + "' and tenant '" + letter.tenantId()
						+ "'. Consider a payload with the letter's id and tenant.",
				null));
	}

	/** Returns the rejection of an event that JetStream will not deliver again. */
	public static Rejection of(Advisory advisory) {
		if (advisory.terminated()) {
			String said = (advisory.reason() != null) ? ": " + advisory.reason() : "";
			return new Rejection("TERMINATED",
					new Failure("Terminated", "Another client terminated the delivery" + said, null));
		}
		return new Rejection("MAX_DELIVERIES", new Failure("MaxDeliveries",
				"The durable limits deliveries, and all " + advisory.deliveries() + " were used.", null));
	}

}
