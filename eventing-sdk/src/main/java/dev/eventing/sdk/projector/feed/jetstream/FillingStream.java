package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.StreamLog;
import dev.eventing.sdk.nats.StreamLogs;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that the stream from which a generation is filled is still the one with
 * which it began, and has what is still to be read. For one thread.
 */
final class FillingStream {

	/** How much the clocks of the servers may differ. */
	private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

	private final Filling filling;

	private final SourceStream expected;

	private final StreamLogs logs;

	private final FencedTransactions transactions;

	/** The last event that arrived here, or null. */
	private @Nullable EventPlace latest;

	FillingStream(Filling filling, SourceStream expected, StreamLogs logs, FencedTransactions transactions) {
		this.filling = filling;
		this.expected = expected;
		this.logs = logs;
		this.transactions = transactions;
	}

	String name() {
		return this.expected.stream();
	}

	/** Remembers the last event that arrived, by which a lost end is noticed. */
	void arrived(EventPlace place) {
		this.latest = place;
	}

	/**
	 * Looks at the stream.
	 * @param read the sequence up to which it was read
	 * @param handedOut the highest sequence that any owner has handed out
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if the generation
	 * beside the live one has failed
	 * @throws JetStreamConfigurationException if the live one cannot be filled
	 */
	StreamLog require(long read, long handedOut) {
		if (this.expected.isUnknownWhatWasSettled()) {
			throw failure("The database was restored from a dump since the switch, so it is not known what the"
					+ " generation had applied.");
		}
		StreamLog log = this.logs.find(name())
			.orElseThrow(() -> failure("Stream '" + name() + "' does not exist any more."));
		if (!this.expected.isSame(log.stream(), log.created())) {
			throw failure("Stream '" + name() + "' was deleted and created again.");
		}
		if (log.lastSequence() < handedOut) {
			throw lostEnd(handedOut);
		}
		if (log.firstSequence() > read + 1) {
			throw failure("Stream '" + name() + "' has lost the events between sequence " + read + " and "
					+ log.firstSequence() + " before they were read.");
		}
		EventPlace known = this.latest;
		Instant stored = (known != null) ? this.logs.storedAt(name(), known.sequence()) : null;
		if (known != null && stored != null && !stored.equals(known.storedAt())) {
			throw lostEnd(known.sequence());
		}
		return log;
	}

	/**
	 * Makes sure that the stream has not lost its end and given the sequences to other
	 * events since an earlier owner handed out the last ones.
	 */
	void requireKept(long handedOut, @Nullable Instant at) {
		Instant stored = (handedOut > 0 && at != null) ? this.logs.storedAt(name(), handedOut) : null;
		if (stored != null && at != null && stored.isAfter(at.plus(CLOCKS_DIFFER))) {
			throw lostEnd(handedOut);
		}
	}

	/** Whether the leader of the stream has nothing more to read up to its end. */
	boolean isAtEnd(StreamLog log, Collection<String> filters, long read) {
		StreamLogs.First next = this.logs.firstBehind(name(), filters, read);
		return next == null || next.sequence() > log.lastSequence();
	}

	/** When the next event to read was stored, or null if there is none. */
	@Nullable Instant nextStoredAt(Collection<String> filters, long read) {
		StreamLogs.First next = this.logs.firstBehind(name(), filters, read);
		return (next != null) ? next.storedAt() : null;
	}

	/**
	 * Makes sure that a generation beside the live one is filled from a stream that has
	 * had all events.
	 */
	void requireComplete(StreamLog log) {
		if (this.filling.isBeside() && !log.gaps().isEmpty()) {
			throw failure("Stream '" + name() + "' may lack events. " + String.join(" ", log.gaps()));
		}
	}

	private RuntimeException lostEnd(long sequence) {
		return failure("Stream '" + name() + "' has lost its end: event " + sequence + " was read, and is not there.");
	}

	private RuntimeException failure(String why) {
		if (this.filling.isBeside()) {
			Supplier<RuntimeException> failing = () -> {
				throw new GenerationFailedException(why + " Retire it, and build another.");
			};
			return this.transactions.note(failing);
		}
		return new JetStreamConfigurationException("The read model of projector '" + this.filling.projection()
				+ "' cannot be filled to its end. " + why
				+ " The read model shows a part of the events. To begin again with what the stream holds, stop"
				+ " the application, empty the read model, and delete the projector's rows of projections,"
				+ " projection_lanes, projection_claims, projector_positions, projector_coverage, processed_events,"
				+ " dead_letters and projector_prunings.");
	}

}
