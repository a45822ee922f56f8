package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.StandbyLedger;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projector.ProjectorServices;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * The time for which a generation that was live is fed. After that a roll back to it is
 * refused. Any node ends it, by the clock of the database. Until then nodes look whether
 * a roll back is possible. For one thread.
 */
public final class StandbyLimit {

	private static final Logger logger = LoggerFactory.getLogger(StandbyLimit.class);

	/** All projectors of the node share the thread: it waits for no silent server. */
	private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

	private final ProjectorId projector;

	private final Duration limit;

	private final SeparateTransactions transactions;

	private final GenerationLedger generations;

	private final StandbyLedger standbys;

	private final RequestLedger requests;

	private final WayBack wayBack;

	/** Sends no query yet. */
	public StandbyLimit(ProjectorId projector, ProjectorServices services, Duration limit) {
		this.projector = projector;
		this.limit = limit;
		this.transactions = new SeparateTransactions(BoundedDataSource.of(services.dataSource(), LONGEST_STATEMENT));
		JdbcTemplate jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.generations = new GenerationLedger(jdbc, services.schema(), projector);
		this.standbys = new StandbyLedger(jdbc, services.schema(), projector);
		this.requests = new RequestLedger(jdbc, services.schema());
		this.wayBack = new WayBack(projector, jdbc, services.schema());
	}

	/**
	 * Ends the time of a standby if it is over, and refuses a switch to a generation that
	 * no node feeds any more: no owner would answer. Says of a standby why it cannot
	 * become live again.
	 * @param status the status of the generation beside the live one, at the last look
	 * @param requested what was requested at that look, or null
	 * @param here whether this node has the version that feeds it
	 */
	public void look(ProjectionGeneration.Status status, @Nullable Action requested, boolean here) {
		try {
			if (status == ProjectionGeneration.Status.STANDBY && requested == null) {
				this.transactions.write(this::end);
			}
			else if (!status.isFed() && requested == Action.SWITCH) {
				this.transactions.write(() -> refuse(null));
			}
			if (status == ProjectionGeneration.Status.STANDBY && this.wayBack.isDue()) {
				String absent = this.transactions.write(() -> this.wayBack.look(here));
				if (absent != null && requested == Action.SWITCH) {
					this.transactions.write(() -> refuse(absent));
				}
			}
		}
		catch (ReadModelTablesException | DataAccessException | TransactionException ex) {
			logger.debug("The standby of projector '{}' cannot be looked at now.", this.projector, ex);
		}
	}

	private boolean end() {
		String why = "It was replaced longer ago than " + DurationFormatterUtils.print(this.limit, Style.COMPOSITE)
				+ ", and is not fed any more. Retire it.";
		this.standbys.stale(this.limit, why).ifPresent((generation) -> {
			this.generations.audit(generation, this.projector.actor(), ProjectionAction.STANDBY_ENDED, null, why);
			logger.info("Generation {} of the read model of projector '{}' is STALE. {}", generation, this.projector,
					why);
		});
		return true;
	}

	/**
	 * Refuses the switch that is requested.
	 * @param absent why no node can make it; null if its status says that
	 */
	private boolean refuse(@Nullable String absent) {
		ProjectionRequest request = this.requests.lock(this.projector.base())
			.filter((each) -> each.what().action() == Action.SWITCH)
			.orElse(null);
		Beside beside = this.generations.lockBeside().orElse(null);
		if (request != null && beside != null && (absent != null || !beside.status().isFed())
				&& Integer.valueOf(beside.generation()).equals(request.what().generation())) {
			String why = (absent != null) ? absent : unfed(beside);
			this.requests.end(request.id(), Status.FAILED, why);
			this.generations.audit(beside.generation(), this.projector.actor(), ProjectionAction.SWITCH_FAILED, null,
					why);
			logger.error("The read model of projector '{}' is not switched. {}", this.projector, why);
		}
		return true;
	}

	private static String unfed(Beside beside) {
		return (beside.status() == ProjectionGeneration.Status.PAST) ? beside.past()
				: "Generation " + beside.generation() + " is " + beside.status() + ". Retire it, and build another.";
	}

}
