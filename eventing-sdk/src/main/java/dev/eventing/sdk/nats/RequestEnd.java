package dev.eventing.sdk.nats;

import java.util.List;

import dev.eventing.sdk.EventingException;
import io.nats.client.support.Status;

/** The status with which the server ends a request of a {@link DurablePull}. */
final class RequestEnd {

	private static final String MESSAGE_TOO_LARGE = "Message Size Exceeds MaxBytes";

	/** Reasons for the end of a request that are only temporary. */
	private static final List<String> ORDINARY_CONFLICTS = List.of(MESSAGE_TOO_LARGE, Status.BATCH_COMPLETED,
			Status.SERVER_SHUTDOWN, Status.LEADERSHIP_CHANGE, "Exceeded MaxAckPending");

	private static final int SERVER_ERRORS = 500;

	private RequestEnd() {
	}

	/** Whether the next delivery has more bytes than the request had left. */
	static boolean isTooLarge(Status status) {
		return status.getMessage().contains(MESSAGE_TOO_LARGE);
	}

	/** If not, the server would reject a new request immediately. */
	static boolean isOrdinary(Status status) {
		int code = status.getCode();
		return code < Status.BAD_REQUEST_CODE || code == Status.NOT_FOUND_CODE || code == Status.BAD_JS_REQUEST_CODE
				|| (isConflict(status) && ORDINARY_CONFLICTS.stream().anyMatch(status.getMessage()::contains));
	}

	/** The error of an end that is not {@link #isOrdinary ordinary}. */
	static EventingException failure(Status status, String durable, String stream) {
		int code = status.getCode();
		String text = status.getMessage();
		if (code == Status.NO_RESPONDERS_CODE || (isConflict(status) && text.contains(Status.CONSUMER_DELETED))) {
			return new DurableGoneException("Durable '" + durable + "' does not answer: " + code + " " + text + ".");
		}
		if (code >= SERVER_ERRORS) {
			return new NatsUnavailableException("Durable '" + durable + "' on stream '" + stream
					+ "' cannot answer requests now: " + code + " " + text + ".", null);
		}
		return new JetStreamConfigurationException("Durable '" + durable + "' on stream '" + stream
				+ "' rejects requests: " + code + " " + text + ". Consider undoing changes of the durable, or"
				+ " deleting it: it is recreated at the projector's position.");
	}

	private static boolean isConflict(Status status) {
		return status.getCode() == Status.CONFLICT_CODE;
	}

}
