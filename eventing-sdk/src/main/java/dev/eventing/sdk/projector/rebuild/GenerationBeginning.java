package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.FreeSpace;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projection.ledger.PastPosition;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.StateForm;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Begins a generation beside the live one, if nothing stands in the way. Every method
 * runs in the caller's transaction.
 */
final class GenerationBeginning {

	private static final Logger logger = LoggerFactory.getLogger(GenerationBeginning.class);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final SourceCheck source;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	private final RequestOutcomes outcomes;

	private final ReadModelTables tables;

	private final TableSizes sizes;

	private final PastPosition past;

	private final RightsCheck rights;

	/** Sends no query yet. */
	GenerationBeginning(ProjectorEndpoint endpoint, ProjectorServices services, JdbcTemplate jdbc, SourceCheck source) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = jdbc;
		this.source = source;
		RequestLedger requests = new RequestLedger(jdbc, services.schema());
		this.generations = new GenerationLedger(jdbc, services.schema(), endpoint.id());
		this.fillings = new FillingLedger(jdbc, services.schema(), endpoint.id());
		this.outcomes = new RequestOutcomes(endpoint.id(), requests, this.generations);
		this.tables = new ReadModelTables(jdbc);
		this.sizes = new TableSizes(jdbc);
		this.past = new PastPosition(jdbc, services.schema());
		this.rights = new RightsCheck(jdbc, requests);
	}

	/**
	 * Creates the tables of the generation and records it, or records why not.
	 * @param found the source, as it was a moment ago
	 */
	void begin(ProjectionRequest request, SourceCheck.Found found) {
		Live live = this.generations.live().orElse(null);
		String obstacle = passing(live, found);
		if (live == null || obstacle != null) {
			this.outcomes.waits(request, String.valueOf(obstacle));
			return;
		}
		List<String> refusals = refusals(live, found);
		if (!refusals.isEmpty()) {
			this.outcomes.refuse(request, String.join(" ", refusals));
			return;
		}
		int number = this.fillings.nextNumber();
		String schema = GenerationTables.schema(id(number));
		if (this.rights.waitsToExchange(request, declared(),
				List.of(schema, GenerationTables.schema(id(live.generation()))))) {
			return;
		}
		BuildOptions limits = limits(request, found);
		if (limits != null) {
			create(number, schema, limits, found.stream());
			done(request, number, "Generation " + number + " is filled in the schema " + schema
					+ until(request, limits, found) + ".");
		}
	}

	/** What stands in the way and may pass, or null. */
	private @Nullable String passing(@Nullable Live live, SourceCheck.Found found) {
		if (!this.generations.isNewest(this.endpoint.readModel().version())) {
			return "A node with the newest version of the projector is to build it.";
		}
		if (live == null) {
			return "No node has run the projector yet. It is tried again.";
		}
		return found.isTemporary() ? found.refusal() + " It is tried again." : null;
	}

	private void create(int number, String schema, BuildOptions limits, @Nullable SourceStream stream) {
		GenerationTables.create(this.tables, this.endpoint.readModel(), schema);
		this.fillings.beginBeside(number, this.endpoint.setting(ProjectorSettings::concurrency),
				ProjectorDefinition.code(this.endpoint),
				new Filling.Site(schema, ProjectorDefinition.scriptChecksum(this.endpoint), limits), stream);
		new JdbcCheckpoints(this.jdbc, this.services.schema(), id(number)).begin(0);
		if (stream != null) {
			coverage(id(number)).beginLike(coverage(this.endpoint.id()), stream.stream(), this.source::isHeard);
		}
	}

	private void done(ProjectionRequest request, int number, String done) {
		this.outcomes.done(request, number, ProjectionAction.BUILD_BEGUN, done);
		logger.info(
				"The read model of projector '{}' is built beside the live one, requested by {}. {} It needs about as much"
						+ " space as the live tables, which take {}, and {} connections more on the node that feeds it.",
				this.endpoint.name(), request.by().actor(), done, TableSizes.readable(size()),
				this.endpoint.connections());
	}

	/**
	 * The limits of the build with the position up to which it is filled, which is looked
	 * for once. Null if the request is refused or waits.
	 */
	private @Nullable BuildOptions limits(ProjectionRequest request, SourceCheck.Found found) {
		BuildOptions limits = request.what().build();
		Until until = limits.until();
		if (until == null) {
			return limits;
		}
		PastPosition.Found at = (found.stream() != null) ? found.upTo(until) : this.past.find(until);
		if (at.refusal() == null) {
			return limits.until(new Until.Position(at.position()));
		}
		if (at.isTemporary()) {
			this.outcomes.waits(request, at.refusal() + " It is tried again.");
		}
		else {
			this.outcomes.refuse(request, at.refusal());
		}
		return null;
	}

	private static String until(ProjectionRequest request, BuildOptions limits, SourceCheck.Found found) {
		Until wanted = request.what().build().until();
		Until until = limits.until();
		if (wanted == null || until == null) {
			return "";
		}
		boolean timed = wanted instanceof Until.Time;
		return (found.stream() != null)
				? " up to sequence " + until.text() + " of stream '" + found.stream().stream() + "'"
						+ (timed ? ": what it had stored until " + wanted.text() : "")
				: " up to position " + until.text()
						+ (timed ? ": the events that were recorded until " + wanted.text() : "");
	}

	private List<String> refusals(Live live, SourceCheck.Found found) {
		String refusal = this.source.refusal();
		if (refusal != null) {
			return List.of(refusal);
		}
		if (!this.endpoint.readModel().canStandBeside()) {
			return List.of("A read model is built beside the live one only if the projector declares all of its tables."
					+ " Consider @Projector(tables = ...) without @ProjectionReset.");
		}
		String definition = ProjectorDefinition.ofEvents(this.endpoint);
		String before = StateForm.without(live.code().definition());
		if (live.code().version() != this.endpoint.readModel().version() && !before.equals(definition)) {
			return List.of("Version " + this.endpoint.readModel().version() + " handles " + definition
					+ ". The live generation is of version " + live.code().version() + ", which handles " + before
					+ ". Both must handle the same, if with a method that does nothing.");
		}
		String partial = this.source.partialRefusal();
		if (partial != null) {
			return List.of(partial);
		}
		if (found.refusal() != null) {
			return List.of(found.refusal());
		}
		if (this.fillings.filling() != null || this.generations.lockBeside().isPresent()) {
			return List.of("Another generation is being filled, or stands beside the live one.");
		}
		return declared().isEmpty() ? List.of() : ofTables();
	}

	/** Why the tables cannot have a second copy. */
	private List<String> ofTables() {
		List<String> refusals = new ArrayList<>(this.generations.overlaps(declared()));
		refusals.addAll(EntityCaches.refusals(declared(), this.services.database().cachedEntities().get()));
		refusals.addAll(this.tables.obstacles(declared(), TableOrigin.of(this.endpoint.readModel().script() != null)));
		String full = new FreeSpace(this.jdbc, this.services.schema()).refusal(size());
		if (full != null) {
			refusals.add(full + " Make room, or consider a rebuild in place.");
		}
		return refusals;
	}

	private long size() {
		return this.sizes.of(declared()).values().stream().mapToLong(Long::longValue).sum();
	}

	private Set<String> declared() {
		return this.endpoint.readModel().tables();
	}

	private ProjectorId id(int generation) {
		return this.endpoint.id().ofGeneration(generation);
	}

	private JdbcCoverage coverage(ProjectorId id) {
		return new JdbcCoverage(this.jdbc, this.services.schema(), id);
	}

}
