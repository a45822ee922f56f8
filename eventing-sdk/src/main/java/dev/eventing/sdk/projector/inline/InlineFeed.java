package dev.eventing.sdk.projector.inline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.InlineHistoryGuard;
import dev.eventing.sdk.projector.feed.store.AppliedElsewhere;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFeed;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the event store for a projector that is inline, or may become it. Appends apply
 * the events, so most of the time it passes them over. What appends have skipped it gives
 * to the lanes. When it is level, it makes the projector inline, or heals it.
 */
public final class InlineFeed implements Feed {

	private static final Logger logger = LoggerFactory.getLogger(InlineFeed.class);

	/** How often it looks at what is stored, and how long it rests while it is inline. */
	private static final Duration LOOK = Duration.ofMillis(250);

	/** How long it lets lanes finish what they hold before it turns. */
	private static final Duration AT_REST_WITHIN = Duration.ofSeconds(1);

	/** With fewer events in a page it rests. */
	private static final int FEW = 50;

	/** How often it looks for the triggers. */
	private static final Duration LOOK_FOR_TRIGGER = Duration.ofSeconds(5);

	private final FeedContext context;

	private final Checkpoint checkpoint;

	private final boolean wanted;

	private final InlineLedger ledger;

	private final InlineHistory history;

	private final InlineTurn turn;

	private final StoreFeed log;

	/** As of the last look; null if the projector never was inline. */
	private volatile @Nullable InlineRow row;

	/**
	 * Whether it only reads the log, and looks no more: the projector never was inline,
	 * and cannot become it while this node owns it.
	 */
	private boolean isPlain;

	/** Whether appends have skipped events, as of the last look. */
	private volatile boolean diverged;

	/** Whether reading has begun, at the stored position. */
	private boolean begun;

	/** Whether appends by others are noticed, as of the last look. */
	private boolean watched = true;

	/** Whether appends notice changes of the tables, as of the last look. */
	private boolean noticed = true;

	private final InlineTries tries;

	private String told = "";

	/** By {@link System#nanoTime}. */
	private long nextLook = System.nanoTime();

	/** By {@link System#nanoTime}. */
	private long nextLookForTrigger = System.nanoTime();

	/**
	 * Reads nothing yet.
	 * @param handlers applies what was appended until the projector turns
	 * @param settledTo up to here earlier owners have read all events
	 * @param log creates the feed that reads the log
	 */
	public InlineFeed(FeedContext context, Checkpoint checkpoint, HandlerTransaction handlers, LongSupplier settledTo,
			Function<AppliedElsewhere, StoreFeed> log) {
		this.context = context;
		this.checkpoint = checkpoint;
		this.wanted = context.endpoint().isInline();
		this.ledger = new InlineLedger(new JdbcTemplate(context.services().dataSource()), context.services().schema(),
				context.endpoint().id());
		this.history = new InlineHistory(context, this.ledger, handlers, settledTo);
		this.turn = new InlineTurn(context, handlers, this.ledger, this.history);
		this.tries = new InlineTries(context.endpoint().name());
		this.log = log.apply(this.history);
	}

	@Override
	public String makeReady() throws InterruptedException {
		if (this.isPlain) {
			return this.log.makeReady();
		}
		this.context.projectorLease().requireCurrent();
		if (!this.begun && this.checkpoint.isNew()) {
			new InlineHistoryGuard(this.context).requireNone("its row of projector_checkpoints is gone");
		}
		read();
		if (this.row == null && this.wanted) {
			this.turn.register();
			read();
		}
		this.isPlain = this.row == null;
		this.nextLook = System.nanoTime() + LOOK.toNanos();
		String reading = this.log.makeReady();
		this.begun = true;
		this.told = describe();
		return this.told.isEmpty() ? reading : this.told;
	}

	private void read() {
		InlineRow found = this.ledger.find().orElse(null);
		boolean skipped = found != null && found.isInline() && this.ledger.hasSkips();
		if (found != null && skipped && !this.diverged) {
			this.ledger.forgetAnswers();
			if (!found.isDemoted()) {
				logger
					.warn("Projector '{}' has diverged: appends did not run its handlers. It applies their events, and "
							+ "appends skip it until then.", this.context.endpoint().name());
			}
		}
		this.diverged = skipped;
		this.row = found;
		this.history.found(found != null, isQuiet());
		lookForTrigger(found);
	}

	private void lookForTrigger(@Nullable InlineRow found) {
		if (found == null || !found.isInline()) {
			this.watched = true; // it looks again before it turns
		}
		else if (System.nanoTime() - this.nextLookForTrigger >= 0) {
			this.nextLookForTrigger = System.nanoTime() + LOOK_FOR_TRIGGER.toNanos();
			boolean standing = this.ledger.isWatched();
			if (!standing && this.watched) {
				logger.warn("Projector '{}' is inline, but the trigger eventing_inline on the events is missing or "
						+ "disabled. The read model may lack what others have inserted meanwhile. Consider a rebuild.",
						this.context.endpoint().name());
			}
			this.watched = standing;
			lookForChangeTriggers();
		}
	}

	/** What sessions remember is right while the triggers tell them of changes. */
	private void lookForChangeTriggers() {
		boolean standing = this.ledger.isNoticed();
		if (!standing && this.noticed) {
			logger.warn("Projector '{}' is inline, but one of the triggers inline_change on projection_inline, "
					+ "projection_skips and projector_controls is missing or disabled. Appends may have missed a change in the "
					+ "last {} s. From now on they read these tables each time, and are slower. Consider enabling it.",
					this.context.endpoint().name(), LOOK_FOR_TRIGGER.toSeconds());
		}
		this.noticed = standing;
		if (!standing) {
			this.ledger.forgetAnswers();
		}
	}

	/** Empty for a projector that is not inline and is not to become it. */
	private String describe() {
		InlineRow current = this.row;
		if (current == null || (!this.wanted && !current.isInline())) {
			return "";
		}
		if (current.isDemoted()) {
			return "demoted: it reads the event store, and appends skip it";
		}
		if (this.diverged) {
			return "diverged: appends did not run its handlers, so it reads the event store until it has all events"
					+ this.tries.because();
		}
		if (current.isInline()) {
			return "inline: its handlers run in the transactions that append";
		}
		return "reading the event store until it can be inline" + this.tries.because();
	}

	@Override
	public boolean step() throws InterruptedException {
		if (this.isPlain) {
			return this.log.step();
		}
		this.context.projectorLease().requireCurrent();
		if (System.nanoTime() - this.nextLook >= 0) {
			read();
			this.nextLook = System.nanoTime() + LOOK.toNanos();
		}
		act();
		long before = this.log.arrived();
		boolean goesOn = this.log.step();
		if (isQuiet() && this.log.arrived() - before < FEW) {
			this.checkpoint.move(); // no lane does it, because appends apply all events
			this.context.stopping().await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
		}
		return goesOn && this.told.equals(describe());
	}

	private boolean isQuiet() {
		InlineRow current = this.row;
		return current != null && current.isInline() && !this.diverged;
	}

	/** Turns, heals or leaves, if that is due and possible now. */
	private void act() throws InterruptedException {
		InlineRow current = this.row;
		if (current == null) {
			return;
		}
		String why = current.isInline() ? whyToLeave(current) : null;
		if (why != null) {
			if (this.tries.mayLeave()) {
				leave(why, current.isDemoted() || mustRest());
			}
		}
		else if (this.tries.mayTurn() && mayTurn(current)) {
			turn();
		}
	}

	private boolean mayTurn(InlineRow current) {
		return this.wanted && !mustRest() && !current.isDemoted() && (this.diverged || !current.isInline());
	}

	private void leave(String why, boolean operatorWaits) {
		boolean left = this.turn.leave(why);
		this.tries.left(left, operatorWaits);
		if (left) {
			logger.info("Projector '{}' is not inline any more: {}.", this.context.endpoint().name(), why);
			read();
		}
	}

	private @Nullable String whyToLeave(InlineRow current) {
		if (current.isDemoted()) {
			return "an operator has demoted it";
		}
		if (!this.wanted || !this.turn.isOwn(current)) {
			return "this node's code handles something else";
		}
		if (!this.watched) {
			return "the trigger eventing_inline on the events is missing or disabled";
		}
		return mustRest() ? "a request waits" : null;
	}

	/** Whether something is requested that needs a projector at rest. */
	private boolean mustRest() {
		Action requested = this.context.pause().requested();
		return this.context.pause().isHeld() || requested == Action.SWITCH
				|| (requested != null && requested.needsRest());
	}

	private void turn() throws InterruptedException {
		this.tries.turnsLater();
		if (this.context.services().store().log().head() - this.log.arrived() > InlineTurn.MOST) {
			return;
		}
		String letters = this.turn.openLetters();
		if (letters.isEmpty() && !this.turn.forgetSkips(this.checkpoint.position())) {
			return;
		}
		String obstacle = letters.isEmpty() ? take() : letters;
		this.tries.turned(obstacle);
		if (obstacle.isEmpty()) {
			boolean healed = this.diverged;
			read();
			logger.info("Projector '{}' is inline{}: its handlers run in the transactions that append.",
					this.context.endpoint().name(), healed ? " again, and has all events" : "");
		}
	}

	private String take() throws InterruptedException {
		return comesToRest() ? this.turn.take(this.checkpoint.position()) : "its lanes hold events";
	}

	/** Whether all events that it has read are settled, and the checkpoint shows that. */
	private boolean comesToRest() throws InterruptedException {
		long end = System.nanoTime() + AT_REST_WITHIN.toNanos();
		while (this.log.settledTo() == null) {
			if (System.nanoTime() - end > 0 || this.context.stopping().await(2, TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		this.checkpoint.move();
		return this.checkpoint.position() == this.log.arrived();
	}

	@Override
	public ProjectorState activity() {
		return this.log.activity();
	}

	@Override
	public long arrived() {
		return this.log.arrived();
	}

	/** Appends settle later events while it is inline. */
	@Override
	public @Nullable Long settledTo() {
		InlineRow current = this.row;
		boolean ahead = current != null
				&& (current.isInline() || (current.to() != null && this.log.arrived() < current.to()));
		return ahead ? null : this.log.settledTo();
	}

	/** While appends apply all events, none waits, however far it has read. */
	@Override
	public long pending() {
		return isQuiet() ? 0 : this.log.pending();
	}

	@Override
	public void save() {
		this.log.save();
	}

	@Override
	public void saveAtStop(boolean cleanStop) {
		this.log.saveAtStop(cleanStop);
	}

	@Override
	public void close() {
		this.log.close();
	}

}
