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
 * What has to be written down before the position may move on: the ends of the streams,
 * and what was refused or held. All of it is one transaction that no other owner of the
 * lease can interleave with. A crash before it costs repeated publishes. Not thread-safe.
 */
final class RelayCheckpoint {

	private final Lease lease;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final JdbcRelayPositions positions;

	private final JdbcRefusals refusals;

	/** The streams as they were when they were looked at first. */
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

	/** Begins where the relay stands now. */
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

	/** A stream that is published to for the first time. */
	void met(String stream, Mark mark) {
		this.marks.put(stream, mark);
	}

	/**
	 * The stream has confirmed an event.
	 * @return whether it stands where it should, and was not set back meanwhile
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

	/** An event waits until a stream carries its subject. */
	void waits(Slot slot, String reason, String subject) {
		this.refused.add(new NewRefusal(slot, Status.WAITING, reason, subject));
	}

	void held(Slot slot) {
		this.refused.add(new NewRefusal(slot, Status.HELD, "An earlier event of its stream is not published.", null));
	}

	/** An event that was refused or held before is published. */
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
	 * Writes all of it down.
	 * @param last the last event up to the position; null if there was none yet
	 * @throws dev.eventing.sdk.lease.LeaseLostException if another node publishes now
	 * @throws PositionMovedException if the database is not as it was left
	 */
	void save(long position, @Nullable Passed last) {
		this.transaction.executeWithoutResult((status) -> {
			if (!hasRefusals()) {
				// What a crash of the server takes back is published again. A refusal
				// must not be: this process would be past it.
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
			// Nothing held may be left without one before it that tells of it.
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

	/** Runs something that only the owner may do. */
	void owned(Runnable task) {
		this.transaction.executeWithoutResult((status) -> {
			this.lease.requireOwned();
			this.positions.lock();
			task.run();
		});
	}

}
