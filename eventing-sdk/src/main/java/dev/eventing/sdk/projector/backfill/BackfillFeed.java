package dev.eventing.sdk.projector.backfill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.deadletter.ledger.RebuiltLetters.Decision;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.EditedEvent;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Handover;
import dev.eventing.sdk.projector.feed.LogSettler;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.Undelivered;
import dev.eventing.sdk.projector.feed.store.BuildLimits;
import dev.eventing.sdk.projector.feed.store.LoggedEvent;
import dev.eventing.sdk.projector.feed.store.UnreadableRow;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.TypedPages;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the events of a backfill in turns with the live feed, and hands both to the same
 * lanes. The backfill's events lie before all that the live feed still takes, and it
 * takes no event of their types before they are settled. So each lane has the events of a
 * type and key in their order. When the backfill has ended, only the live feed continues.
 */
public final class BackfillFeed implements Feed {

	private static final Duration ROOM = Duration.ofMillis(20);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private static final int PAGE = 500;

	/** How many positions are recorded as handed out at once. */
	private static final int STRIDE = 2000;

	private final Feed live;

	private final Backfill backfill;

	private final BackfillEnd ending;

	private final FeedContext context;

	private final EventStoreAccess store;

	private final DeliveryDecoder decoder;

	private final InFlight inFlight;

	private final Handover handover;

	private final RebuiltLetters letters;

	private final TypedPages pages;

	private final BuildLimits limits;

	/** It leaves the lanes room for live events. */
	private final int most;

	private boolean begun;

	/** By {@link System#nanoTime}. */
	private long nextLook = System.nanoTime();

	private long handedOut;

	/**
	 * Reads nothing yet.
	 * @param lanes takes the events
	 */
	public BackfillFeed(Feed live, Backfill backfill, FeedContext context, InFlight inFlight, WorkReceiver lanes) {
		this.live = live;
		this.backfill = backfill;
		this.context = context;
		this.ending = new BackfillEnd(backfill, context);
		this.store = context.services().store();
		this.decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.inFlight = inFlight;
		this.handover = new Handover(inFlight, lanes);
		this.letters = new RebuiltLetters(new JdbcTemplate(context.services().dataSource()),
				context.services().schema(), context.endpoint().id());
		this.pages = this.store.log().ofTypes(backfill.row().types(), backfill.row().range().upTo());
		this.limits = BuildLimits.ofRate(backfill.row().rate(), context.services());
		ProjectorOptions options = context.endpoint().options();
		this.most = Math.max(1, Math.min(options.get(ProjectorSettings::maxAckPending) / 2,
				options.get(ProjectorSettings::batchSize) * options.get(ProjectorSettings::concurrency)));
		this.handedOut = backfill.row().place().handedOut();
	}

	@Override
	public String makeReady() throws InterruptedException {
		String reading = this.live.makeReady();
		if (!this.begun) {
			this.handover.follow(PreviousOwnerState.of(this.backfill.row().place().position(), this.handedOut,
					this.context.attempts().waiting()));
			this.begun = true;
		}
		return reading;
	}

	@Override
	public boolean step() throws InterruptedException {
		if (!this.backfill.isOver()) {
			fill();
		}
		return this.live.step();
	}

	private void fill() throws InterruptedException {
		this.context.projectorLease().requireCurrent();
		// First, because the events that are read may wait for newer code.
		if (System.nanoTime() - this.nextLook >= 0) {
			this.nextLook = System.nanoTime() + LOOK.toNanos();
			if (this.ending.isCancelled()) {
				return;
			}
		}
		this.handover.run();
		if (!this.backfill.isReading()) {
			if (this.backfill.place().unsettled() == 0) {
				this.ending.complete();
			}
			return;
		}
		read();
	}

	private void read() throws InterruptedException {
		int share = this.most - this.backfill.place().unsettled();
		if (share <= 0) {
			this.context.stopping().await(2, TimeUnit.MILLISECONDS);
			return;
		}
		Capacity room = this.inFlight.awaitRoom(ROOM, 0);
		int wanted = Math.min(Math.min(room.events(), PAGE), share);
		int granted = (wanted > 0) ? this.limits.await(wanted, this.context.stopping()) : 0;
		if (granted > 0) {
			TypedPages.Page page = this.pages.next(this.backfill.place().read(), granted, room.bytes());
			this.limits.took(page.events().size());
			handOut(page);
		}
	}

	private void handOut(TypedPages.Page page) {
		List<Work> works = works(page.events());
		UnreadableEventException unreadable = page.unreadable();
		long readTo = page.readTo();
		if (unreadable != null && this.handover.before(readTo) == readTo) {
			Work row = work(unreadable);
			if (row != null) {
				works.add(row);
			}
			readTo = unreadable.position();
		}
		if (!works.isEmpty()) {
			recordHandedOut(works.get(works.size() - 1).place().sequence());
			this.backfill.handOut(works);
			this.handover.add(works);
		}
		this.backfill.place().readTo(this.handover.before(readTo));
		this.handover.run();
	}

	/** Before handlers may begin the events. */
	private void recordHandedOut(long last) {
		if (last > this.handedOut) {
			long upTo = Math.min(this.backfill.row().range().upTo(), last + STRIDE);
			this.context.transactions().note(() -> this.ending.ledger().handOut(this.backfill.row().request(), upTo));
			this.handedOut = upTo;
		}
	}

	/** Returns what the lanes are to get, up to what needs newer code. */
	private List<Work> works(List<StoredEvent> page) {
		List<Work> works = new ArrayList<>(page.size());
		if (page.isEmpty()) {
			return works;
		}
		Map<EventKey, Decision> decisions = this.letters.decisions(page.stream().map(BackfillFeed::key).toList());
		for (StoredEvent stored : page) {
			Decision decision = decisions.get(key(stored));
			Work work = (decision != Decision.DISCARDED) ? work(stored, decision) : null;
			if (work == null || !this.backfill.takes(work)) {
				continue;
			}
			if (this.handover.waitsAt(work)) {
				break;
			}
			works.add(work);
		}
		return works;
	}

	private static EventKey key(StoredEvent stored) {
		return new EventKey(stored.event().tenantId(), stored.event().id());
	}

	private @Nullable Work work(StoredEvent stored, @Nullable Decision decision) {
		String subject = heard(stored.event());
		byte[] edited = (decision == Decision.EDITED) ? this.letters.editedPayload(key(stored)) : null;
		return (subject != null) ? work(EditedEvent.of(new LoggedEvent(stored, subject, this.store.writer()), edited))
				: null;
	}

	/**
	 * A row that cannot be read becomes a letter, if a handler listens to its subject.
	 */
	private @Nullable Work work(UnreadableEventException unreadable) {
		Event<UnboundPayload> envelope = unreadable.envelope();
		String subject = (envelope != null) ? heard(envelope) : EventPlace.EVENT_STORE;
		if (subject == null) {
			return null;
		}
		Work work = work(new UnreadableRow(unreadable, subject));
		EventKey key = work.routed().ledgerKey();
		return (key != null && this.letters.decisions(List.of(key)).containsKey(key)) ? null : work;
	}

	private Work work(SourceEvent event) {
		RoutedEvent routed = this.decoder.route(event);
		return new Work(routed, new LogSettler(event.place().sequence(),
				(sequence) -> this.backfill.settle(routed.ledgerKey(), sequence)));
	}

	/** Returns the subject of an event if a handler listens to it. */
	private @Nullable String heard(Event<?> event) {
		try {
			String subject = this.store.subjects().subjectOf(event);
			return this.decoder.listensTo(subject) ? subject : null;
		}
		catch (InvalidSubjectException ex) {
			return null; // the live feed has skipped it, too
		}
	}

	@Override
	public ProjectorState activity() {
		return this.live.activity();
	}

	@Override
	public String alarm() {
		return this.live.alarm() + this.ending.describe(this.limits.describe());
	}

	@Override
	public long arrived() {
		return this.live.arrived();
	}

	@Override
	public @Nullable Long settledTo() {
		return (this.backfill.isOver() && this.handover.isAtRest()) ? this.live.settledTo() : null;
	}

	@Override
	public long pending() {
		return this.live.pending();
	}

	@Override
	public @Nullable Undelivered undelivered() {
		return this.live.undelivered();
	}

	@Override
	public void save() {
		this.live.save();
		this.ending.save(this.handedOut);
	}

	@Override
	public void saveAtStop(boolean cleanStop) {
		this.live.saveAtStop(cleanStop);
		this.ending.save(cleanStop ? 0 : this.handedOut);
	}

	@Override
	public void close() {
		this.live.close();
	}

}
