package dev.eventing.sdk.projector.rebuild;

import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ledger.NeededRights;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.tables.MissingRights;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Looks whether the role of the application may do what is requested, before anything is
 * done for it. If it may not, the request says so, and waits. Every method runs in the
 * caller's transaction.
 */
final class RightsCheck {

	private static final Logger logger = LoggerFactory.getLogger(RightsCheck.class);

	private final RequestLedger requests;

	private final ReadModelTables tables;

	private final MissingRights missing;

	/** Sends no query yet. */
	RightsCheck(JdbcTemplate jdbc, RequestLedger requests) {
		this.requests = requests;
		this.tables = new ReadModelTables(jdbc);
		this.missing = new MissingRights(jdbc);
	}

	/**
	 * Whether the request to create tables, or to let them change places, waits.
	 * @param schemas where those lie, or are to lie, that are not live
	 */
	boolean waitsToExchange(ProjectionRequest request, Collection<String> declared, List<String> schemas) {
		if (declared.isEmpty()) {
			return false;
		}
		String role = this.missing.role();
		return waits(request, new NeededRights(role, schemas),
				this.missing.toExchange(role, declared, this.tables.liveSchema(declared), schemas));
	}

	/** Whether the request to move the live tables waits. */
	boolean waitsToMove(ProjectionRequest request, Collection<String> declared, String schema) {
		String role = this.missing.role();
		return waits(request, new NeededRights(role, List.of(schema)),
				this.missing.toMove(role, declared, this.tables.liveSchema(declared), schema));
	}

	/** Whether the request to drop these tables waits. */
	boolean waitsToDrop(ProjectionRequest request, Collection<String> dropped, String schema) {
		if (dropped.isEmpty()) {
			return false;
		}
		String role = this.missing.role();
		return waits(request, new NeededRights(role, List.of(schema)), this.missing.toDrop(role, dropped, schema));
	}

	private boolean waits(ProjectionRequest request, NeededRights rights, List<String> statements) {
		if (statements.isEmpty()) {
			this.requests.needs(request, null);
			return false;
		}
		if (this.requests.needs(request, rights)) {
			logger.warn(
					"A request for the read model of projector '{}' waits for rights of role '{}': {}. Consider"
							+ " eventing projection ddl {} --run.",
					request.projection(), rights.role(), String.join("; ", statements), request.projection());
		}
		return true;
	}

}
