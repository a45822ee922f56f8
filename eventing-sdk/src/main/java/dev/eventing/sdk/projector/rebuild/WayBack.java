package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.StandbyLedger;
import dev.eventing.sdk.projection.ledger.SwitchObstacles;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Looks whether the former generation can become live again, and records why not, before
 * a roll back is needed. Any node that has the projector does. For one thread.
 */
final class WayBack {

	private static final Logger logger = LoggerFactory.getLogger(WayBack.class);

	private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

	/** A node that starts again reports within that time. */
	private static final Duration ABSENCE = Duration.ofSeconds(15);

	private final ProjectorId projector;

	private final StandbyLedger standbys;

	private final SwitchObstacles obstacles;

	private long lookedAt = System.nanoTime() - BETWEEN_LOOKS.toNanos();

	/** Since when no node has its version, as far as this node knows; null if one has. */
	private @Nullable Long absentSince;

	/** Sends no query yet. */
	WayBack(ProjectorId projector, JdbcTemplate jdbc, EventingSchema schema) {
		this.projector = projector;
		this.standbys = new StandbyLedger(jdbc, schema, projector);
		this.obstacles = new SwitchObstacles(jdbc, schema, projector);
	}

	/** Whether it is time for another look. */
	boolean isDue() {
		return System.nanoTime() - this.lookedAt >= BETWEEN_LOOKS.toNanos();
	}

	/**
	 * Looks, in the caller's transaction.
	 * @param here whether this node has the version that feeds the generation
	 * @return why no node can do a roll back; null if one can, or that is not sure
	 */
	@Nullable String look(boolean here) {
		this.lookedAt = System.nanoTime();
		Integer standby = this.standbys.find().orElse(null);
		if (standby == null) {
			this.absentSince = null;
			return null;
		}
		String absent = here ? null : this.obstacles.noNode(standby).orElse(null);
		if (absent == null) {
			this.absentSince = null;
			note(standby, this.obstacles.ofTables(standby).orElse(null));
			return null;
		}
		if (this.absentSince == null) {
			this.absentSince = System.nanoTime();
		}
		if (System.nanoTime() - this.absentSince < ABSENCE.toNanos()) {
			return null;
		}
		note(standby, absent);
		return absent;
	}

	private void note(int standby, @Nullable String why) {
		if (!this.standbys.noRollback(standby, why)) {
			return;
		}
		if (why != null) {
			logger.warn("The read model of projector '{}' cannot be rolled back to generation {}. {}", this.projector,
					standby, why);
		}
		else {
			logger.info("The read model of projector '{}' can be rolled back to generation {} again.", this.projector,
					standby);
		}
	}

}
