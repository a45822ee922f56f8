package dev.eventing.sdk.projector.rebuild;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projection.ledger.LiveSchemas;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.StateForm;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Finds out which version of the code feeds the live generation, on the thread of the
 * owner and before anything of it runs.
 */
public final class LiveVersion {

	private static final Logger logger = LoggerFactory.getLogger(LiveVersion.class);

	private final ProjectorId projector;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final LiveSchemas liveSchemas;

	private final ReadModelTables tables;

	private final DefinitionNews news;

	/**
	 * Sends no query yet.
	 * @param news logs how this node's code differs
	 */
	public LiveVersion(ProjectorId projector, ProjectorServices services, DefinitionNews news) {
		this.projector = projector;
		this.services = services;
		this.news = news;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), projector);
		this.liveSchemas = new LiveSchemas(this.jdbc, services.schema(), projector);
		this.tables = new ReadModelTables(this.jdbc);
	}

	/**
	 * Returns the version that feeds the live generation, and records what it handles. A
	 * projector that no node has run yet is fed by the newest version.
	 * @param versions the projector as this node has it, by version
	 * @throws NotFedException if this node does not have that version, or its states have
	 * another form than those that are stored
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws DataAccessException if the database does not answer
	 */
	public ProjectorEndpoint find(ProjectorLease lease, NavigableMap<Integer, ProjectorEndpoint> versions) {
		FencedTransactions transactions = FencedTransactions.withoutHandlers(versions.lastEntry().getValue(),
				this.services, lease,
				new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout()));
		Live live = transactions.note(() -> live(versions));
		ProjectorEndpoint found = versions.get(live.code().version());
		if (found == null) {
			throw NotFedException.needs(this.projector, live.generation(), live.code().version(), versions.keySet());
		}
		String otherStates = ProjectorDefinition.otherStates(found, live);
		if (otherStates != null) {
			throw NotFedException.hasOtherStates(otherStates);
		}
		return found;
	}

	private Live live(NavigableMap<Integer, ProjectorEndpoint> versions) {
		Optional<Live> before = this.generations.live();
		if (before.isEmpty()) {
			this.generations.adopt(ProjectorDefinition.code(versions.lastEntry().getValue()));
		}
		Live live = before.or(this.generations::live).orElseThrow();
		this.news.tell(live, versions);
		ProjectorEndpoint feeding = versions.get(live.code().version());
		if (feeding == null) {
			return live;
		}
		// The newest version may have adopted what the first one has applied.
		boolean isAdopted = before.isEmpty();
		Live recorded = (isAdopted || !hasOtherStates(live, feeding)) ? define(live, feeding) : live;
		if (!feeding.readModel().tables().isEmpty()) {
			noteSchema(feeding.readModel().tables());
		}
		return recorded;
	}

	private static boolean hasOtherStates(Live live, ProjectorEndpoint feeding) {
		return StateForm.difference(feeding.readModel().states(), live.code().definition()) != null;
	}

	private Live define(Live live, ProjectorEndpoint feeding) {
		Code code = ProjectorDefinition.code(feeding);
		if (!code.equals(live.code())) {
			this.generations.define(live.generation(), code);
		}
		return new Live(live.generation(), code, live.isFilling());
	}

	private void noteSchema(Set<String> tables) {
		try {
			this.liveSchemas.note(this.tables.liveSchema(tables));
		}
		catch (ReadModelTablesException ex) {
			logger.debug("It is not known where the tables of projector '{}' lie.", this.projector, ex);
		}
	}

}
