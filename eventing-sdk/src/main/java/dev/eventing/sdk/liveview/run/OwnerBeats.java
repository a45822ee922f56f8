package dev.eventing.sdk.liveview.run;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.liveview.frame.FramePublisher;
import dev.eventing.sdk.liveview.ledger.LiveOwners;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.SweepingWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Lets the subscribers of the views that this node owns hear once a second that the owner
 * lives, and tells the versions of keys that changed a moment ago. The database says what
 * this node owns: a node that was frozen, or does not reach its database, is silent, and
 * subscribers read their states themselves.
 */
public final class OwnerBeats extends SweepingWorker {

	private static final Logger logger = LoggerFactory.getLogger(OwnerBeats.class);

	private static final Duration EVERY = Duration.ofSeconds(1);

	private final Supplier<List<String>> views;

	private final Broadcasts nats;

	private final FramePublisher publisher;

	private final LiveOwners owners;

	private final String node;

	private boolean failing;

	/**
	 * Does not start the thread yet.
	 * @param views the views that this node defines
	 * @param node the name of this node in leases
	 */
	public OwnerBeats(Supplier<List<String>> views, Broadcasts nats, FramePublisher publisher, LiveOwners owners,
			String node) {
		super("eventing-live-views");
		this.views = views;
		this.nats = nats;
		this.publisher = publisher;
		this.owners = owners;
		this.node = node;
	}

	@Override
	protected Duration firstPause() {
		return EVERY;
	}

	@Override
	protected Duration sweep(SupervisedWorker thread) {
		List<String> all = this.views.get();
		if (all.isEmpty()) {
			return EVERY;
		}
		boolean pushes = this.publisher.pushes() && this.nats.connect();
		try {
			// notices a database that was set back, also where nothing can be pushed
			List<LiveOwners.Owned> owned = this.owners.of(this.node, all);
			if (pushes) {
				owned.forEach((each) -> this.publisher.beat(each.view(), each.liveEpoch(), each.token()));
			}
			this.failing = false;
		}
		catch (DataAccessException ex) {
			if (!this.failing) {
				this.failing = true;
				logger.warn("Subscribers of live views do not hear of their owner: {}. It is tried again every {} ms.",
						DatabaseFailure.describe(ex), EVERY.toMillis());
			}
		}
		if (pushes) {
			this.publisher.tellVersions();
		}
		return EVERY;
	}

	@Override
	protected void ended(boolean stopping) {
		// nothing is held
	}

}
