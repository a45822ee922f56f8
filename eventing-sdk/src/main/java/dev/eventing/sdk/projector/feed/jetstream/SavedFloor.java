package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.relay.RelayProgress;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The floor of a projector's durable as the database knows it, and what is saved with it:
 * the position in the event store, and the coverage of handlers. For the thread of the
 * intake.
 */
final class SavedFloor {

	/** How often a floor that has not moved is compared with the database. */
	private static final Duration LOOK_AT_UNMOVED_EVERY = Duration.ofSeconds(15);

	private final SavedPlace place;

	private final StorePosition storePosition;

	private final Coverage coverage;

	/** The last saved state, and its {@link System#nanoTime} time. */
	private @Nullable DurableState saved;

	private long savedAt;

	SavedFloor(SavedPlace place, StorePosition storePosition, Coverage coverage) {
		this.place = place;
		this.storePosition = storePosition;
		this.coverage = coverage;
	}

	/** Returns that of the context's projector. */
	static SavedFloor of(FeedContext context, JdbcPositions positions, Coverage coverage) {
		ProjectorEndpoint endpoint = context.endpoint();
		JdbcTemplate jdbc = new JdbcTemplate(context.services().dataSource());
		return new SavedFloor(
				new SavedPlace(endpoint.id(), positions, new PrimaryHistory(jdbc), context.transactions()),
				new StorePosition(positions, new RelayProgress(jdbc, context.services().schema()),
						context.transactions(),
						endpoint.setting(ProjectorSettings::deliverPolicy) != DeliverPolicy.NEW),
				coverage);
	}

	/**
	 * Asks the database for what is saved now.
	 * @throws SetBackException if the database was set back since the last look
	 */
	void look(String stream) {
		this.place.look(stream);
	}

	/** What {@link #look} found last or was saved since, or null. */
	@Nullable Saved known() {
		return this.place.known();
	}

	/**
	 * Whether it was saved and compared a moment ago, and there is nothing new to save.
	 */
	boolean isSavedLately(DurableState standing) {
		DurableState last = this.saved;
		return !this.storePosition.isReached(standing) && last != null && last.floor() == standing.floor()
				&& last.streamCreated().equals(standing.streamCreated())
				&& System.nanoTime() - this.savedAt < LOOK_AT_UNMOVED_EVERY.toNanos();
	}

	/** Saves the floor if it has moved, in separate transactions. */
	void save(DurableState standing, boolean cleanStop) {
		this.place.save(standing, cleanStop);
		this.storePosition.save(standing);
		this.coverage.settled(standing.floor());
		this.saved = standing;
		this.savedAt = System.nanoTime();
	}

	/**
	 * Saves where the projector begins, which may be lower than the durable's floor, in
	 * one transaction with another action.
	 */
	void begin(DurableState standing, long floor, Runnable together) {
		this.place.begin(standing, floor, together);
	}

	/**
	 * The durable is read from somewhere else: the settled position of the store is
	 * unknown.
	 */
	void forgetStorePosition() {
		this.storePosition.forget();
	}

}
