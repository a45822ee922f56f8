package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ledger.SwitchLedger;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Holds the live generation for a switch, on the thread of its owner and while nothing of
 * it runs. If this node dies or freezes, the next owner has another epoch, and the switch
 * is not made.
 */
public final class LiveHold {

	private static final Logger logger = LoggerFactory.getLogger(LiveHold.class);

	private static final long LOOK_MILLIS = 50;

	/**
	 * Should the clock of the database step back, which says how long it is held. The one
	 * who asked gives up before that, by its own clock.
	 */
	private static final Duration LONGEST = GenerationSwitch.BUDGET.plusSeconds(5);

	private final ProjectorEndpoint endpoint;

	private final ProjectorId projector;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final SwitchLedger switches;

	/** Sends no query yet. */
	public LiveHold(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.projector = endpoint.id();
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.switches = new SwitchLedger(this.jdbc, services.schema());
	}

	/**
	 * Records where the live generation is, and waits until the switch is made or given
	 * up, or this node stops. Then the switch is not made.
	 * @param settledTo the position up to which all events are settled, and none after it
	 * @param stops whether this node stops the projector
	 * @throws DataAccessException if the database does not answer; the caller gives the
	 * lease up, because it cannot know whether the switch is made
	 */
	public void await(ProjectorLease lease, long settledTo, BooleanSupplier stops) {
		FencedTransactions transactions = FencedTransactions.withoutHandlers(this.endpoint, this.services, lease,
				new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout()));
		Optional<Long> request = hold(transactions, lease, settledTo);
		if (request.isPresent()) {
			long id = request.get();
			logger.info("Projector '{}' is held at position {} for a switch to another generation.", this.projector,
					settledTo);
			long begun = System.nanoTime();
			boolean over = false;
			while (!over && !lease.isOver() && Pauses.pause(LOOK_MILLIS)) {
				boolean late = System.nanoTime() - begun > LONGEST.toNanos();
				over = transactions.note(() -> stops.getAsBoolean() ? this.switches.giveUp(id, lease.epoch())
						: late ? this.switches.endHold(id, lease.epoch()) : this.switches.letGo(id, lease.epoch()));
			}
		}
	}

	private Optional<Long> hold(FencedTransactions transactions, ProjectorLease lease, long settledTo) {
		return transactions.note(() -> this.switches.hold(this.projector.base(), settledTo, lease.epoch()));
	}

}
