package dev.eventing.sdk.relay;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.EventRefusedException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.RawEventPublisher;
import org.jspecify.annotations.Nullable;

/**
 * Passes events that the window releases to the publisher, on the relay's thread, and
 * collects outcomes from the client's threads.
 */
final class Outbox {

	/** The default limit of nats-server for one batch. */
	private static final int LARGEST_BATCH = 1000;

	private final RawEventPublisher publisher;

	private final RelayMessages messages;

	private final PublishMode mode;

	private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

	private final WakeUp wakeUp;

	/**
	 * Creates one.
	 * @param wakeUp called when an outcome arrives
	 */
	Outbox(RawEventPublisher publisher, RelayMessages messages, PublishMode mode, WakeUp wakeUp) {
		this.publisher = publisher;
		this.messages = messages;
		this.mode = mode;
		this.wakeUp = wakeUp;
	}

	/** Publishes all events that may be published now; returns whether there were any. */
	boolean send(Window window) {
		boolean sent = false;
		if (this.mode == PublishMode.ATOMIC) {
			List<Slot> batch = window.takeBatch(LARGEST_BATCH, System.nanoTime());
			if (batch.size() > 1) {
				sendBatch(batch);
				return true;
			}
			if (batch.size() == 1) {
				send(batch.get(0));
				return true;
			}
			if (!window.hasAlone()) {
				return false; // the next batch is sent when this one is confirmed
			}
		}
		for (Slot slot = window.take(System.nanoTime()); slot != null; slot = window.take(System.nanoTime())) {
			send(slot);
			sent = true;
		}
		return sent;
	}

	private void send(Slot slot) {
		List<Slot> slots = List.of(slot);
		int attempt = slot.attempt;
		try {
			collect(this.publisher.publishAsync(this.messages.write(slot.stored())), slots, attempt, false);
		}
		catch (NatsUnavailableException | IllegalStateException ex) {
			this.outcomes.add(new Outcome(slots, attempt, false, null, ex));
		}
		catch (EventingException ex) { // the event cannot be written as a message
			this.outcomes.add(new Outcome(slots, attempt, false, null,
					new EventRefusedException(String.valueOf(ex.getMessage()), ex)));
		}
	}

	private void sendBatch(List<Slot> batch) {
		try {
			List<RawEvent> events = batch.stream().map((slot) -> this.messages.write(slot.stored())).toList();
			collect(this.publisher.publishBatch(events), batch, 1, true);
		}
		catch (EventingException | IllegalStateException ex) {
			this.outcomes.add(new Outcome(batch, 1, true, null, ex));
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the outcome is collected
	private void collect(CompletableFuture<Published> future, List<Slot> slots, int attempt, boolean batch) {
		future.whenComplete((confirmation, error) -> {
			this.outcomes.add(new Outcome(slots, attempt, batch, confirmation,
					(error != null && error.getCause() instanceof EventingException cause) ? cause : error));
			this.wakeUp.call();
		});
	}

	/** The last permission that the server denied, with the time; null if none. */
	@Nullable String lastViolation() {
		return this.publisher.lastViolation();
	}

	/** The next outcome, or null. */
	@Nullable Outcome poll() {
		return this.outcomes.poll();
	}

	/** Whether there is no outcome. */
	boolean isEmpty() {
		return this.outcomes.isEmpty();
	}

}
