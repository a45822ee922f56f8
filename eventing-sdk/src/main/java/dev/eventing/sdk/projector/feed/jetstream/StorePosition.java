package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.relay.RelayProgress;
import dev.eventing.sdk.relay.RelayProgress.Published;
import org.jspecify.annotations.Nullable;

/**
 * The position in the event store up to which a projector has settled its events, though
 * it reads a stream. Relays of the same database publish to the stream. First their
 * position is read, then the last sequence of the stream: every event up to the position
 * has a sequence up to that one, or its relay could not publish it. So when the floor of
 * the durable reaches the sequence, all events up to the position are settled. For one
 * thread at a time.
 */
final class StorePosition {

	/**
	 * After two looks at which no relay had published to the stream, every fourth look
	 * asks again, unless the stream has grown. A relay records its first publish only
	 * after the event is in the stream.
	 */
	private static final int LOOKS_IN_VAIN = 2;

	private static final int PER_QUESTION = 4;

	private final JdbcPositions positions;

	private final RelayProgress relays;

	private final FencedTransactions transactions;

	private final boolean fromTheFirst;

	/** What relays have published, as of a moment before the last look, or null. */
	private @Nullable Published relayed;

	/** The last sequence of the stream after that, or null. */
	private @Nullable Long upTo;

	/** The last saved position, or null. */
	private @Nullable Published saved;

	/** Looks in a row at which no relay had published to the stream. */
	private int inVain;

	/** The last sequence of the stream at the last of them. */
	private long inVainAt;

	/**
	 * Sends no query yet.
	 * @param fromTheFirst whether the projector takes all events, and not new ones only
	 */
	StorePosition(JdbcPositions positions, RelayProgress relays, FencedTransactions transactions,
			boolean fromTheFirst) {
		this.positions = positions;
		this.relays = relays;
		this.transactions = transactions;
		this.fromTheFirst = fromTheFirst;
	}

	/** Begins again: the stream or the database may be another one. */
	void forget() {
		this.relayed = null;
		this.upTo = null;
		this.saved = null;
		this.inVain = 0;
	}

	/**
	 * Looks whether the durable has settled what relays had published before.
	 * @param standing the durable, as of now
	 * @return whether there is something to save
	 */
	boolean isReached(DurableState standing) {
		if (this.relayed != null && this.upTo == null) {
			this.upTo = standing.lastInStream();
		}
		// the floor was read before the last sequence of the stream
		return this.upTo != null && standing.floor() >= this.upTo;
	}

	/**
	 * Saves the position if it is reached, in a separate transaction. Then reads what
	 * relays have published until now, for the next time.
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if another node
	 * owns the projector
	 */
	void save(DurableState standing) {
		Published reached = isReached(standing) ? this.relayed : null;
		if (reached != null) {
			this.transactions.note(() -> this.positions.saveStorePosition(standing.stream(), reached));
			this.saved = reached;
			this.relayed = null;
			this.upTo = null;
		}
		if (this.relayed == null && this.fromTheFirst && mayBeRelayed(standing)) {
			Published now = this.relays.published(standing.stream());
			this.relayed = (now == null || now.equals(this.saved)) ? null : now;
			this.inVain = (now == null) ? this.inVain : 0;
		}
	}

	private boolean mayBeRelayed(DurableState standing) {
		this.inVain = (standing.lastInStream() == this.inVainAt) ? this.inVain + 1 : 0;
		this.inVainAt = standing.lastInStream();
		return this.inVain <= LOOKS_IN_VAIN || this.inVain % PER_QUESTION == 0;
	}

}
