package dev.eventing.sdk.relay;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.nats.EventPublisher.Published;
import dev.eventing.sdk.relay.JdbcRefusals.NewRefusal;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.relay.Refusal.Status;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Collects what must be saved together with the position: the ends of the streams, and
 * refused and held events. One transaction saves all of it, and only the owner of the
 * lease can commit it. A crash before it causes repeated publishes. Not thread-safe.
 */
final class RelayCheckpoint {

	private final Lease lease;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final JdbcRelayPositions positions;

	private final JdbcRefusals refusals;

	/** The streams as they were when they were first read. */
	private final Map<String, Mark> marks = new HashMap<>();

	private final Set<String> moved = new HashSet<>();

	private final List<NewRefusal> refused = new ArrayList<>();

	private final List<Slot> published = new ArrayList<>();

	private final List<NewRefusal> refusedAgain = new ArrayList<>();

	private long saved;

	RelayCheckpoint(Lease lease, JdbcTransactionManager transactions, JdbcTemplate jdbc, JdbcRelayPositions positions,
			JdbcRefusals refusals) {
		this.lease = lease;
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
		this.positions = positions;
		this.refusals = refusals;
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
	 * Records that a stream confirmed an event.
	 * @return true if the sequence is as expected; false if the stream may have been
	 * restored to an earlier state meanwhile
	 */
	boolean confirmed(Published confirmation, int tolerance) {
		Mark mark = this.marks.get(confirmation.stream());
		if (mark == null || confirmation.duplicate()) {
			return true;
		}
		if (confirmation.sequence() > mark.lastSequence()) {
			this.marks.put(confirmation.stream(), new Mark(mark.created(), confirmation.sequence()));
			this.moved.add(confirmation.stream());
		}
		return confirmation.sequence() > mark.lastSequence() - tolerance;
	}

	void refused(Slot slot, String reason) {
		this.refused.add(new NewRefusal(slot, Status.REFUSED, reason, null));
	}

	/** Records an event that waits until a stream carries its subject. */
	void waits(Slot slot, String reason, String subject) {
		this.refused.add(new NewRefusal(slot, Status.WAITING, reason, subject));
	}

	void held(Slot slot) {
		this.refused.add(new NewRefusal(slot, Status.HELD, "An earlier event of its stream is not published.", null));
	}

	/** Records that an event which was refused or held before is published. */
	void published(Slot slot) {
		this.published.add(slot);
	}

	void refusedAgain(Slot slot, String reason) {
		this.refusedAgain.add(new NewRefusal(slot, Status.REFUSED, reason, null));
	}

	void waitsAgain(Slot slot, String reason, String subject) {
		this.refusedAgain.add(new NewRefusal(slot, Status.WAITING, reason, subject));
	}

	boolean hasNews(long position) {
		return position > this.saved || hasRefusals();
	}

	private boolean hasRefusals() {
		return !this.refused.isEmpty() || !this.published.isEmpty() || !this.refusedAgain.isEmpty();
	}

	/**
	 * Saves everything.
	 * @param last the last event up to the position; null if there was none yet
	 * @throws dev.eventing.sdk.lease.LeaseLostException if another node publishes now
	 * @throws PositionMovedException if the database has changed since the last save
	 */
	void save(long position, @Nullable Passed last) {
		this.transaction.executeWithoutResult((status) -> {
			if (!hasRefusals()) {
				// If a crash of the server undoes this commit, events are published
				// again. A refusal must not be undone, because this process has moved
				// past it.
				this.jdbc.execute("set local synchronous_commit = off");
			}
			this.lease.requireOwned();
			this.positions.lock();
			this.positions.advance(this.saved, position, last);
			this.moved.forEach((stream) -> this.positions.mark(stream, mark(stream)));
			saveRefusals();
		});
		this.saved = position;
		this.moved.clear();
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
			this.refusals.remove(this.published.stream().map(Slot::position).toList());
			// Each held event needs an earlier row of its stream that leads to it.
			this.published.stream().map(Slot::key).distinct().forEach(this.refusals::release);
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

}
