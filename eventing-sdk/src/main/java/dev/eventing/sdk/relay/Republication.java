package dev.eventing.sdk.relay;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.nats.EventRefusedException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.RawEventPublisher;
import dev.eventing.sdk.relay.JdbcRelayPositions.Saved;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Publishes a range of positions again, on the caller's thread, with a separate window.
 * Not thread-safe.
 */
final class Republication {

	private static final long ACK_WAIT = TimeUnit.SECONDS.toNanos(5);

	private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(200);

	private static final int ATTEMPTS = 25;

	private final RelayOptions options;

	private final RelayServices services;

	private final Window window;

	private final WakeUp wakeUp = new WakeUp();

	private final RawEventPublisher publisher;

	private final Outbox outbox;

	private final ErasureWatch erasures;

	/** No event appears any more up to here: the relay has passed it. */
	private final long settled;

	private long published;

	private long duplicates;

	private long refused;

	Republication(RelayOptions options, RelayServices services) {
		this.options = options;
		this.services = services;
		this.window = new Window(options.bounds().events(), options.bounds().bytes());
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.erasures = new ErasureWatch(jdbc, services.schema());
		Saved saved = new JdbcRelayPositions(jdbc, services.schema(), options.name()).find();
		this.settled = saved.position();
		this.publisher = new RawEventPublisher(services.client(), services.streams());
		RelaySeal seal = new RelaySeal(saved.sealKey());
		this.outbox = new Outbox(this.publisher, new RelayMessages(options, services.writer(), "republish", 0, seal),
				PublishMode.ASYNC, this.wakeUp);
	}

	/** Publishes all events of the relay in this range. */
	Republished run(long from, long to) {
		return run(from, to, (event) -> this.options.takes(Objects.requireNonNull(event.event().streamId())));
	}

	/** Publishes the events in this range that the condition chooses. */
	Republished run(long from, long to, Predicate<StoredEvent> chosen) {
		this.services.client().requireConnected();
		EventRange events = new EventRange(this.services.log(), from, to, this.settled);
		try {
			while (!events.isOver() || !this.window.isEmpty()) {
				requireNoErasure(events);
				fill(events, chosen);
				this.outbox.send(this.window);
				collect();
				rest(events);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NatsUnavailableException("Interrupted while publishing again.", ex);
		}
		finally {
			this.publisher.close();
		}
		return new Republished(this.published, this.duplicates, this.refused);
	}

	private void fill(EventRange events, Predicate<StoredEvent> chosen) {
		StoredEvent next = hasRoom() ? events.next() : null;
		while (next != null) {
			if (!next.isErased() && chosen.test(next)) {
				this.window.add(Slot.of(next));
			}
			next = hasRoom() ? events.next() : null;
		}
	}

	/** What was read before may have contents that are erased. */
	private void requireNoErasure(EventRange events) {
		if (this.erasures.isNews()) {
			throw new OperatorMustActException("Publishing again has stopped before position "
					+ (this.window.donePosition(events.position()) + 1)
					+ ", because contents of events were erased meanwhile. Consider calling it again, from that position if it takes one.");
		}
	}

	private boolean hasRoom() {
		return this.window.room() > 0 && this.window.roomForBytes() > 0;
	}

	/** Waits for a confirmation, or at a hole of the log. */
	private void rest(EventRange events) throws InterruptedException {
		if (!this.window.isEmpty()) {
			this.wakeUp.await(TimeUnit.MILLISECONDS.toNanos(1), this.outbox::isEmpty);
		}
		else if (!events.isOver()) {
			this.wakeUp.await(EventRange.PAUSE, this.outbox::isEmpty);
		}
	}

	private void collect() {
		for (Slot slot : this.window.sentBefore(System.nanoTime() - ACK_WAIT)) {
			again(slot, new NatsUnavailableException("JetStream has not confirmed position " + slot.position() + ".",
					null));
		}
		for (Outcome outcome = this.outbox.poll(); outcome != null; outcome = this.outbox.poll()) {
			Slot slot = outcome.slots().get(0);
			if (slot.state == Slot.State.DONE) {
				continue;
			}
			if (outcome.confirmation() != null) {
				this.published += outcome.confirmation().duplicate() ? 0 : 1;
				this.duplicates += outcome.confirmation().duplicate() ? 1 : 0;
				this.window.done(slot);
			}
			else if (slot.state == Slot.State.IN_FLIGHT && slot.attempt == outcome.attempt()) {
				failed(slot, outcome.error());
			}
		}
	}

	private void failed(Slot slot, @Nullable Throwable error) {
		if (error instanceof EventRefusedException) {
			this.refused++;
			this.window.done(slot);
		}
		else {
			again(slot, error);
		}
	}

	private void again(Slot slot, @Nullable Throwable error) {
		if (slot.attempt >= ATTEMPTS) {
			throw new NatsUnavailableException("Publishing again has stopped at position " + slot.position()
					+ ", which is not confirmed. All events before it are. Consider continuing from that position.",
					error);
		}
		this.window.delay(slot, System.nanoTime() + RETRY);
	}

}
