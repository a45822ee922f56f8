package dev.eventing.sdk.relay;

import java.util.List;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.nats.Published;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a publish. Either the confirmation or the error is null.
 *
 * @param slots the event, or the events of a batch
 * @param attempt the number of the attempt, for a single event
 * @param batch whether it was a batch
 */
record Outcome(List<Slot> slots, int attempt, boolean batch, @Nullable Published confirmation,
		@Nullable Throwable error) {

	/** The error as text for operators. */
	String message() {
		return (this.error instanceof EventingException) ? String.valueOf(this.error.getMessage())
				: String.valueOf(this.error);
	}

}
