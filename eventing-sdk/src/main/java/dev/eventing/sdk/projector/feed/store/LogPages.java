package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.BackfillHold;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.store.LogPolls;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the event store page by page. Does not know who takes the events, or checkpoints.
 * For one thread.
 */
final class LogPages implements LogEnvelopes {

	private static final Logger logger = LoggerFactory.getLogger(LogPages.class);

	private static final int PAGE = 500;

	private static final int LARGEST_PAGE = 2000;

	private final ProjectorId projector;

	private final ProjectorLease lease;

	private final EventStoreAccess store;

	private final ProjectorCounters counters;

	private final LogPolls polls;

	private final BackfillHold hold;

	private @Nullable LogReader reader;

	/** Events that were read and not returned, because they lie further than wanted. */
	private List<StoredEvent> kept = List.of();

	private long position;

	/** Whether the last call returned all that was wanted, though there may be more. */
	private boolean atLimit;

	/** Whether the next event cannot be read, and waits for a backfill. */
	private boolean unreadableHeld;

	/**
	 * Reads nothing yet.
	 * @param poll how often the end of the event store is looked at without a signal
	 */
	LogPages(FeedContext context, Duration poll) {
		this.projector = context.endpoint().id();
		this.lease = context.projectorLease();
		this.store = context.services().store();
		this.counters = context.counters();
		this.hold = context.hold();
		this.polls = new LogPolls(this.store.signal(), poll);
	}

	/**
	 * How many events to read at once. Each number is a statement of its own, so there
	 * are few large ones.
	 * @param room how many events can be taken
	 * @param large whether pages may be large. They cost less, and lanes that wait for
	 * events have more of them in a transaction.
	 */
	static int size(int room, boolean large) {
		int size = PAGE;
		while (large && 2 * size <= Math.min(room, LARGEST_PAGE)) {
			size *= 2;
		}
		return Math.min(room, size);
	}

	/** Reads the events after this position. */
	void beginAfter(long position) {
		this.reader = this.store.log().reader(position);
		this.kept = List.of();
		this.position = position;
	}

	boolean hasBegun() {
		return this.reader != null;
	}

	@Override
	public long position() {
		return this.position;
	}

	private LogReader reader() {
		return Objects.requireNonNull(this.reader, "begins first");
	}

	/**
	 * Returns the next events; none at the end of the event store, or if they lie
	 * further.
	 * @param upTo the last position that is wanted for now; it may be one that was passed
	 * @throws OwnershipLostException if the event store lacks what was read before; the
	 * lease has ended then
	 */
	Page next(int limit, long maxBytes, long upTo) {
		Page page = new Page(this.kept, null);
		if (this.kept.isEmpty() && reader().position() < upTo) {
			this.unreadableHeld = false;
			page = look(limit, maxBytes);
		}
		int wanted = (int) page.events()
			.stream()
			.limit(limit)
			.takeWhile((event) -> event.position() <= upTo && !isHeld(event))
			.count();
		List<StoredEvent> all = page.events();
		this.kept = all.subList(wanted, all.size());
		long end = this.kept.isEmpty() ? reader().position() : this.kept.get(0).position() - 1;
		this.position = Math.max(this.position, Math.min(end, upTo));
		this.atLimit = this.position >= upTo || !this.kept.isEmpty() || this.unreadableHeld;
		return new Page(all.subList(0, wanted), page.unreadable());
	}

	/** Some are not wanted yet, or {@link #next} has to say what is unreadable. */
	@Override
	public List<StoredEvent> envelopes(int limit, long upTo) {
		if (!this.kept.isEmpty() || upTo < Long.MAX_VALUE || this.hold.isReading()) {
			return List.of();
		}
		this.polls.look();
		this.atLimit = false;
		try {
			List<StoredEvent> envelopes = read(() -> reader().envelopes(limit));
			this.position = reader().position();
			if (!envelopes.isEmpty()) {
				this.polls.found();
			}
			return envelopes;
		}
		catch (UnreadableEventException ex) {
			return List.of();
		}
	}

	@Override
	public void backTo(long earlier) {
		reader().backTo(earlier);
		this.position = earlier;
	}

	private boolean isHeld(StoredEvent event) {
		return this.hold.holds(event.position(), event.event().type());
	}

	private Page look(int limit, long maxBytes) {
		this.polls.look();
		Page page = read(limit, maxBytes);
		if (!page.events().isEmpty()) {
			this.polls.found();
		}
		return page;
	}

	private Page read(int limit, long maxBytes) {
		try {
			return new Page(read(() -> reader().next(limit, maxBytes)), null);
		}
		catch (UnreadableEventException ex) {
			this.unreadableHeld = this.hold.holds(ex.position(), ex.type());
			return new Page(List.of(), this.unreadableHeld ? null : ex);
		}
	}

	private List<StoredEvent> read(Supplier<List<StoredEvent>> reads) {
		try {
			return reads.get();
		}
		catch (LogSetBackException ex) {
			logger.error("Projector '{}' gives itself up and restarts after its checkpoint: {}", this.projector,
					ex.getMessage());
			this.lease.end();
			throw new OwnershipLostException(this.projector, ex);
		}
	}

	/** Continues behind an event that cannot be read. */
	void passOver(UnreadableEventException unreadable) {
		reader().passOver(unreadable);
		this.position = reader().position();
	}

	/** Waits until there may be more, or more is wanted. */
	void awaitMore() throws InterruptedException {
		if (this.hold.isReading()) {
			return;
		}
		this.polls.await(this.atLimit || reader().isBlocked());
	}

	/** Waits for the next poll. */
	void rest() throws InterruptedException {
		this.polls.await(true);
	}

	/**
	 * Returns the subject of an event. Null if it has no valid subject, which counts as
	 * skipped. Then a relay cannot publish it either.
	 */
	@Nullable String subjectOf(Event<?> event, long position) {
		try {
			return this.store.subjects().subjectOf(event);
		}
		catch (InvalidSubjectException ex) {
			logger.warn("Projector '{}' skips {} at position {}, because it has no valid subject: {}", this.projector,
					event, position, ex.getMessage());
			this.counters.skipped.increment();
			return null;
		}
	}

	/**
	 * The result of a read.
	 *
	 * @param events in the order of positions
	 * @param unreadable the next event, if it cannot be read; else null
	 */
	record Page(List<StoredEvent> events, @Nullable UnreadableEventException unreadable) {
	}

}
