package dev.eventing.sdk.relay;

import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.relay.JdbcRefusals.NewRefusal;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.relay.LateEvents.Late;
import dev.eventing.sdk.relay.LateEvents.LostEnd;
import dev.eventing.sdk.relay.Refusal.Status;
import dev.eventing.sdk.store.LogSetBackException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Collects what must be saved together with the position: the ends of the streams, and
 * refused and held events. One transaction saves all of it, and only the owner of the
 * lease can commit it. A crash before it causes repeated publishes.
 *
 * <p>
 * For one thread, except {@link #write}. A save of refusals is done by that thread,
 * because the process continues from them. A save of a position alone may run on another
 * thread meanwhile: {@link #positionUpTo}, {@link #write}, {@link #written}.
 */
final class RelayCheckpoint {

	private final Lease lease;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final JdbcRelayPositions positions;

	private final JdbcRefusals refusals;

	private final LateEvents late;

	/** The streams as they were when they were first read. */
	private final Map<String, Mark> marks = new HashMap<>();

	private final Set<String> moved = new HashSet<>();

	/** Of streams that lost their end: the first sequence that they give again. */
	private final Map<String, Long> givenAgain = new HashMap<>();

	private final List<NewRefusal> refused = new ArrayList<>();

	private final List<Late> published = new ArrayList<>();

	private final List<NewRefusal> refusedAgain = new ArrayList<>();

	private long saved;

	RelayCheckpoint(Lease lease, JdbcTransactionManager transactions, JdbcTemplate jdbc, JdbcRelayPositions positions,
			JdbcRefusals refusals, LateEvents late) {
		this.lease = lease;
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
		this.positions = positions;
		this.refusals = refusals;
		this.late = late;
	}

	/**
	 * Saves the position before the events that streams have lost, and the late ones of
	 * them, so that a crash from here on does not lose them.
	 * @return the number of late events to publish again, by their stream
	 */
	Map<String, Integer> rewind(Resumption resumption) {
		Map<String, Integer> again = new TreeMap<>();
		for (LostEnd end : resumption.ends()) {
			int some = publishAgain(end);
			while (some > 0) {
				again.merge(end.stream(), some, Integer::sum);
				some = publishAgain(end);
			}
		}
		if (resumption.position() < resumption.reached()) {
			owned(() -> {
				this.positions.rewind(resumption.position());
				resumption.lost()
					.forEach((tail) -> this.positions.mark(tail.stream(),
							new Mark(tail.created(), tail.lastSequence())));
			});
		}
		return again;
	}

	/** The end of the stream is still as it was saved, so that a crash loses nothing. */
	private int publishAgain(LostEnd end) {
		AtomicInteger events = new AtomicInteger();
		owned(() -> events.set(this.late.publishAgain(end)));
		return events.get();
	}

	/** Forgets some late events that need not be remembered any more. Needs no lock. */
	void removeOldLate() {
		this.late.removeOld();
	}

	/**
	 * Records that streams were restored to an earlier state, for a node that continues
	 * after this one.
	 */
	void noteGivenAgain() {
		owned(() -> this.givenAgain.forEach(this.positions::noteGivenAgain));
	}

	/** Starts at the relay's current position. */
	void begin(long position, Map<String, Mark> known) {
		this.saved = position;
		this.marks.putAll(known);
	}

	long saved() {
		return this.saved;
	}

	boolean knows(String stream) {
		return this.marks.containsKey(stream);
	}

	/** Adds a stream to which the relay publishes for the first time. */
	void met(String stream, Mark mark) {
		this.marks.put(stream, mark);
	}

	/**
	 * Records that a stream confirmed an event. Over one connection, the leader of a
	 * stream confirms in the order of sequences. So a new event with a sequence that is
	 * not higher than the last one shows that the stream was restored to an earlier state
	 * meanwhile: it gives sequences again.
	 */
	void confirmed(Published confirmation) {
		Mark mark = this.marks.get(confirmation.stream());
		if (mark == null) {
			return;
		}
		if (confirmation.sequence() > mark.lastSequence()) {
			this.marks.put(confirmation.stream(), new Mark(mark.created(), confirmation.sequence()));
			this.moved.add(confirmation.stream());
		}
		else if (!confirmation.duplicate()) {
			this.givenAgain.merge(confirmation.stream(), confirmation.sequence(), Math::min);
		}
	}

	/**
	 * Compares the streams with the sequences that they confirmed.
	 * @param tails finds the present end of a stream
	 */
	void compareWith(Function<String, Optional<StreamTail>> tails) {
		this.marks.forEach((stream, mark) -> tails.apply(stream).ifPresent((tail) -> {
			long kept = tail.created().equals(mark.created()) ? tail.lastSequence() : 0;
			if (kept < mark.lastSequence()) {
				this.givenAgain.merge(stream, kept + 1, Math::min);
			}
		}));
	}

	/** Whether a stream was restored to an earlier state. Then nothing may be saved. */
	boolean isSetBack() {
		return !this.givenAgain.isEmpty();
	}

	/**
	 * The streams that were restored to an earlier state, each with the first sequence
	 * that it gives again.
	 */
	Map<String, Long> givenAgain() {
		return Map.copyOf(this.givenAgain);
	}

	void refused(Slot slot, String reason) {
		this.refused.add(NewRefusal.of(slot, Status.REFUSED, reason));
	}

	/** Records an event that nothing takes now. */
	void waits(Slot slot, WaitsFor cause) {
		this.refused.add(NewRefusal.waiting(slot, cause));
	}

	void held(Slot slot) {
		this.refused.add(NewRefusal.of(slot, Status.HELD, "An earlier event of its stream is not published."));
	}

	/** Records that an event which was refused or held before is published. */
	void published(Slot slot, Published confirmation) {
		Mark mark = this.marks.get(confirmation.stream());
		this.published.add(new Late(slot, confirmation, (mark != null) ? mark.created() : Instant.EPOCH));
	}

	void refusedAgain(Slot slot, String reason) {
		this.refusedAgain.add(NewRefusal.of(slot, Status.REFUSED, reason));
	}

	void waitsAgain(Slot slot, WaitsFor cause) {
		this.refusedAgain.add(NewRefusal.waiting(slot, cause));
	}

	boolean hasNews(long position) {
		return position > this.saved || hasRefusals();
	}

	/** Whether there is more to save than the position and the ends of the streams. */
	boolean hasRefusals() {
		return !this.refused.isEmpty() || !this.published.isEmpty() || !this.refusedAgain.isEmpty();
	}

	/**
	 * Returns what a save of the position writes. A later call does not return these
	 * changes again.
	 * @param last the last event up to the position; null if there was none yet
	 */
	Step positionUpTo(long position, @Nullable Passed last) {
		Map<String, Mark> ends = this.moved.stream().collect(Collectors.toMap(Function.identity(), this::mark));
		this.moved.clear();
		return new Step(this.saved, position, last, ends);
	}

	/**
	 * Saves a position, on any thread, but no two at once.
	 * @throws dev.eventing.sdk.lease.LeaseLostException if another node publishes now
	 * @throws LogSetBackException if the database has changed since the last save
	 */
	void write(Step step) {
		this.transaction.executeWithoutResult((status) -> {
			// If a crash of the server undoes this commit, events are published again.
			this.jdbc.execute("set local synchronous_commit = off");
			advance(step);
		});
	}

	/** Records that {@link #write} has succeeded. */
	void written(Step step) {
		this.saved = step.to();
	}

	private void advance(Step step) {
		this.lease.requireOwned();
		this.positions.lock();
		this.positions.advance(step.from(), step.to(), step.last());
		step.ends().forEach(this.positions::mark);
	}

	/**
	 * Saves everything. A crash of the server does not undo it, because this process has
	 * moved past the refusals.
	 * @param last the last event up to the position; null if there was none yet
	 * @throws dev.eventing.sdk.lease.LeaseLostException if another node publishes now
	 * @throws LogSetBackException if the database has changed since the last save
	 */
	void save(long position, @Nullable Passed last) {
		Step step = positionUpTo(position, last);
		this.transaction.executeWithoutResult((status) -> {
			advance(step);
			saveRefusals();
		});
		written(step);
		this.refused.clear();
		this.published.clear();
		this.refusedAgain.clear();
	}

	private void saveRefusals() {
		if (!this.refused.isEmpty()) {
			this.refusals.add(this.refused);
		}
		this.refusedAgain.forEach(this.refusals::refusedAgain);
		if (!this.published.isEmpty()) {
			this.late.add(this.published);
			List<Slot> slots = this.published.stream().map(Late::slot).toList();
			this.refusals.remove(slots.stream().map(Slot::position).toList());
			// Each held event needs an earlier row of its stream that leads to it.
			slots.stream().map(Slot::key).distinct().forEach(this.refusals::release);
		}
	}

	private Mark mark(String stream) {
		Mark mark = this.marks.get(stream);
		if (mark == null) {
			throw new IllegalStateException(stream);
		}
		return mark;
	}

	/** Runs a task that only the owner of the lease may do. */
	void owned(Runnable task) {
		this.transaction.executeWithoutResult((status) -> {
			this.lease.requireOwned();
			this.positions.lock();
			task.run();
		});
	}

	/**
	 * A move of the position.
	 *
	 * @param from where it is in the database
	 * @param to where it will be
	 * @param last the last event up to there; null if there was none yet
	 * @param ends the ends of the streams that have moved
	 */
	record Step(long from, long to, @Nullable Passed last, Map<String, Mark> ends) {
	}

}
