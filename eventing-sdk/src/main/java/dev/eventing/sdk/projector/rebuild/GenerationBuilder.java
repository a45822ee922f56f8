package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ClaimDifferences;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FreeSpace;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projection.ledger.PastPosition;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.TableScript;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.TransactionStep;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Creates and drops the generations beside the live one of a projector. Any node does it,
 * in one transaction for each request, so that a crash leaves all or nothing. For one
 * thread.
 */
public final class GenerationBuilder {

	private static final Logger logger = LoggerFactory.getLogger(GenerationBuilder.class);

	/** How long a statement waits for transactions that use the tables. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '2s'";

	/**
	 * The request is locked meanwhile. If this node is frozen or cut off, the server ends
	 * the transaction.
	 */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '10s'";

	/** All projectors of the node share the thread: it waits for no silent server. */
	private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

	/** How long old rows are deleted at a time: other projectors wait meanwhile. */
	private static final Duration SWEEP = Duration.ofSeconds(1);

	/** PostgreSQL cuts longer names; a number follows. */
	private static final int LONGEST_PREFIX = 50;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final SeparateTransactions transactions;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final RequestLedger requests;

	private final ReadModelTables tables;

	private final TableSizes sizes;

	private final String definition;

	private final SourceCheck source;

	private final PastPosition past;

	private final RightsCheck rights;

	private boolean rowsLeft;

	/** The last logged text about a request that is not done. */
	private String said = "";

	/** Sends no query yet. */
	public GenerationBuilder(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.transactions = new SeparateTransactions(BoundedDataSource.of(services.dataSource(), LONGEST_STATEMENT));
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.tables = new ReadModelTables(this.jdbc);
		this.sizes = new TableSizes(this.jdbc);
		this.definition = ProjectorDefinition.of(endpoint);
		this.source = new SourceCheck(endpoint, services);
		this.past = new PastPosition(this.jdbc, services.schema());
		this.rights = new RightsCheck(this.jdbc, this.requests);
	}

	/**
	 * Returns how a generation beside the live one is to be filled.
	 * @throws NotFedException if it is not to be fed
	 * @throws UnfinishedRebuildException if this version of the projector cannot continue
	 * with it
	 * @throws DataAccessException if the database does not answer
	 */
	public Filling filling(int generation) {
		Filling found = this.transactions.read(() -> this.generations.fed(generation))
			.orElseThrow(() -> new NotFedException(id(), generation));
		if (!found.definition().equals(this.definition)) {
			throw new UnfinishedRebuildException(id(), "The code handles something else than when generation "
					+ generation + " was begun. Deploy that version again, or retire the generation.");
		}
		if (found.limits() != null && !Objects.equals(checksum(), found.script())) {
			throw new UnfinishedRebuildException(id(), "The script that creates its tables is another one than when"
					+ " generation " + generation + " was begun. Deploy that version again, or retire the generation.");
		}
		return found;
	}

	/** Of the script that the code has; null if it has none. */
	private @Nullable String checksum() {
		TableScript script = this.endpoint.readModel().script();
		return (script != null) ? script.checksum() : null;
	}

	/** How the transactions of a generation beside the live one begin and end. */
	public TransactionStep boundary(Filling filling) {
		JdbcTemplate template = new JdbcTemplate(this.services.dataSource());
		return new GenerationBoundary(filling, template, this.services.schema(),
				new GenerationLedger(template, this.services.schema(), id()));
	}

	/**
	 * Does what an operator requested, if it can be done now.
	 * @throws DataAccessException if the database does not answer
	 * @throws TransactionException if the database does not answer
	 */
	public void serve() {
		Lease lease = null;
		try {
			Optional<ProjectionRequest.What> wanted = this.transactions.write(() -> this.requests.lock(name()))
				.map(ProjectionRequest::what);
			Integer retired = wanted.filter((each) -> each.action() == Action.RETIRE)
				.map((each) -> each.generation())
				.orElse(null);
			// Its owner may have died with a transaction open, which ends with its lease.
			lease = (retired != null) ? this.services.leases().tryAcquire(id().ofGeneration(retired).lease()) : null;
			if (retired == null || lease != null) {
				// No transaction waits for the server of the stream.
				serveNow((retired == null) ? this.source.look(wanted.map((each) -> each.build().until()).orElse(null))
						: SourceCheck.Found.STORE);
				this.said = "";
			}
			this.rowsLeft = this.rowsLeft || retired != null;
		}
		catch (ReadModelTablesException | DataAccessException | TransactionException ex) {
			failed(ex);
		}
		finally {
			if (lease != null) {
				lease.release();
			}
		}
		if (this.rowsLeft) {
			sweep();
		}
	}

	private void serveNow(SourceCheck.Found found) {
		this.transactions.write(() -> {
			this.jdbc.execute(LOCK_TIMEOUT);
			this.jdbc.execute(IDLE_TIMEOUT);
			Optional<ProjectionRequest> request = this.requests.lock(name());
			request.filter((each) -> each.what().action() == Action.REBUILD_BESIDE)
				.ifPresent((each) -> build(each, found));
			request.filter((each) -> each.what().action() == Action.RETIRE).ifPresent(this::retire);
			return true;
		});
	}

	private void failed(RuntimeException ex) {
		boolean permanent = ex instanceof ReadModelTablesException;
		boolean temporary = !permanent && (FailureClassifier.isTransient(ex) || FailureClassifier.isTimeOut(ex)
				|| ex instanceof TransactionException);
		String why = permanent ? String.valueOf(ex.getMessage())
				: "The tables cannot be created or dropped now: " + DatabaseFailure.describe(ex) + ".";
		if (!why.equals(this.said)) {
			logger.info("A request for the read model of projector '{}' is not done. {}", name(), why);
			this.said = why;
		}
		// If the request cannot show it, health does.
		this.transactions.write(() -> {
			this.requests.lock(name())
				.filter((each) -> isServed(each.what().action()))
				.ifPresent((request) -> note(request, temporary, why));
			return true;
		});
	}

	/** Whether this class does such requests. */
	public static boolean isServed(Action action) {
		return action == Action.REBUILD_BESIDE || action == Action.RETIRE;
	}

	private void note(ProjectionRequest request, boolean temporary, String why) {
		if (temporary) {
			this.requests.waits(request.id(), why + " It is tried again.");
		}
		else {
			refuse(request, why);
		}
	}

	private void build(ProjectionRequest request, SourceCheck.Found found) {
		if (!this.generations.isNewest(this.endpoint.readModel().version())) {
			this.requests.waits(request.id(), "A node with the newest version of the projector is to build it.");
			return;
		}
		Optional<Live> live = this.generations.live();
		if (live.isEmpty()) {
			this.requests.waits(request.id(), "No node has run the projector yet. It is tried again.");
			return;
		}
		if (found.isTemporary()) {
			this.requests.waits(request.id(), found.refusal() + " It is tried again.");
			return;
		}
		Set<String> declared = this.endpoint.readModel().tables();
		List<String> refusals = refusals(live.get(), declared, found);
		if (!refusals.isEmpty()) {
			refuse(request, String.join(" ", refusals));
			return;
		}
		int number = this.generations.nextNumber();
		String schema = schema(id().ofGeneration(number));
		if (this.rights.waitsToExchange(request, declared,
				List.of(schema, schema(id().ofGeneration(live.get().generation()))))) {
			return;
		}
		BuildOptions limits = resolved(request, found);
		if (limits == null) {
			return;
		}
		GenerationTables.create(this.tables, this.endpoint.readModel(), schema);
		this.generations.beginBeside(number, this.endpoint.setting(ProjectorSettings::concurrency),
				ProjectorDefinition.code(this.endpoint), new Filling.Site(schema, checksum(), limits), found.stream());
		checkpoints(number).begin(0);
		if (found.stream() != null) {
			coverage(id().ofGeneration(number)).beginLike(coverage(id()), found.stream().stream(),
					this.source::isHeard);
		}
		String done = "Generation " + number + " is filled in the schema " + schema + until(request, limits, found)
				+ ".";
		this.requests.end(request.id(), Status.DONE, done);
		this.generations.audit(number, request.by().actor(), ProjectionAction.BUILD_BEGUN, request.by().reason(), done);
		logger.info(
				"The read model of projector '{}' is built beside the live one, requested by {}. {} It needs about as much"
						+ " space as the live tables, which take {}, and {} connections more on the node that feeds it.",
				name(), request.by().actor(), done, TableSizes.readable(size(declared)), this.endpoint.connections());
	}

	/**
	 * The limits of the build with the position up to which it is filled, which is looked
	 * for once. Null if the request is refused or waits.
	 */
	private @Nullable BuildOptions resolved(ProjectionRequest request, SourceCheck.Found found) {
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
			this.requests.waits(request.id(), at.refusal() + " It is tried again.");
		}
		else {
			refuse(request, at.refusal());
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

	private long size(Set<String> declared) {
		return this.sizes.of(declared).values().stream().mapToLong(Long::longValue).sum();
	}

	private List<String> refusals(Live live, Set<String> declared, SourceCheck.Found found) {
		String refusal = this.source.refusal();
		if (refusal != null) {
			return List.of(refusal);
		}
		if (!this.endpoint.readModel().canStandBeside()) {
			return List.of("A read model is built beside the live one only if the projector declares all of its tables."
					+ " Consider @Projector(tables = ...) without @ProjectionReset.");
		}
		if (live.code().version() != this.endpoint.readModel().version()
				&& !live.code().definition().equals(this.definition)) {
			return List.of("Version " + this.endpoint.readModel().version() + " handles " + this.definition
					+ ". The live generation is of version " + live.code().version() + ", which handles "
					+ live.code().definition() + ". Both must handle the same, if with a method that does nothing.");
		}
		String partial = this.source.partialRefusal();
		if (partial != null) {
			return List.of(partial);
		}
		if (found.refusal() != null) {
			return List.of(found.refusal());
		}
		if (this.generations.filling() != null || this.generations.lockBeside().isPresent()) {
			return List.of("Another generation is being filled, or stands beside the live one.");
		}
		return declared.isEmpty() ? List.of() : ofTables(declared);
	}

	/** Why the tables cannot have a second copy. */
	private List<String> ofTables(Set<String> declared) {
		List<String> refusals = new ArrayList<>(this.generations.overlaps(declared));
		refusals.addAll(EntityCaches.refusals(declared, this.services.database().cachedEntities().get()));
		refusals.addAll(this.tables.obstacles(declared, TableOrigin.of(this.endpoint.readModel().script() != null)));
		String full = new FreeSpace(this.jdbc, this.services.schema()).refusal(size(declared));
		if (full != null) {
			refusals.add(full + " Make room, or consider a rebuild in place.");
		}
		return refusals;
	}

	private void retire(ProjectionRequest request) {
		Integer number = request.what().generation();
		Optional<Beside> found = this.generations.lockBeside()
			.filter((beside) -> number != null && beside.generation() == number);
		if (found.isEmpty()) {
			refuse(request, "Generation " + number + " does not stand beside the live one.");
			return;
		}
		Beside beside = found.get();
		if (this.rights.waitsToDrop(request, beside.tables(), beside.schema())) {
			return;
		}
		ProjectorId id = id().ofGeneration(beside.generation());
		this.services.leases().remove(id.lease(), this.jdbc);
		this.tables.drop(beside.schema(), beside.tables());
		new JdbcAttempts(this.jdbc, this.services.schema(), id).forgetAll();
		coverage(id).forgetAll();
		checkpoints(beside.generation()).forget();
		this.generations.retire(beside.generation());
		sweepSome();
		String done = "Generation " + number + " and its schema " + beside.schema() + " are dropped.";
		this.requests.end(request.id(), Status.DONE, done);
		this.generations.audit(number, request.by().actor(), ProjectionAction.RETIRED, request.by().reason(), done);
		logger.info("{} Requested by {} for the read model of projector '{}'.", done, request.by().actor(), name());
	}

	/**
	 * Deletes the leases, claims and letters of generations that are not filled or fed
	 * any more, for a short time. A node may have taken such a lease after another one
	 * had dropped the generation. The next calls delete the rest.
	 */
	public void sweep() {
		long begun = System.nanoTime();
		this.rowsLeft = true;
		this.transactions.write(this::sweepLeases);
		do {
			this.rowsLeft = this.transactions
				.write(() -> sweepSome() + FillingClaims.sweep(this.jdbc, this.services.schema(), id())) > 0;
		}
		while (this.rowsLeft && System.nanoTime() - begun < SWEEP.toNanos());
	}

	/** A generation may leave more letters than one statement can delete in its time. */
	private int sweepSome() {
		List<ProjectorId> gone = this.generations.all()
			.stream()
			.filter((each) -> each.status() == ProjectionGeneration.Status.RETIRED)
			.map((each) -> id().ofGeneration(each.generation()))
			.toList();
		return RebuiltLetters.sweep(this.jdbc, this.services.schema(), gone)
				+ ClaimDifferences.sweep(this.jdbc, this.services.schema(), gone)
				+ new EffectLedger(this.jdbc, this.services.schema(), id()).sweep(gone)
				+ this.endpoint.readModel().sweep(this.jdbc, gone);
	}

	private boolean sweepLeases() {
		for (String lease : this.services.leases().startingWith(id().generationLeases(), this.jdbc)) {
			if (ProjectorId.ofLease(lease)
				.filter((each) -> this.generations.fed(each.generation()).isEmpty())
				.isPresent()) {
				this.services.leases().remove(lease, this.jdbc);
			}
		}
		return true;
	}

	/** Whether the last {@link #sweep} may have left some rows. */
	public boolean hasRowsLeft() {
		return this.rowsLeft;
	}

	private JdbcCoverage coverage(ProjectorId id) {
		return new JdbcCoverage(this.jdbc, this.services.schema(), id);
	}

	private void refuse(ProjectionRequest request, String why) {
		if (this.requests.end(request.id(), Status.FAILED, why)) {
			this.generations.audit(request.what().generation(), id().actor(), request.what().action().failed(), null,
					why);
		}
		logger.error("The request of {} for the read model of projector '{}' is not done. {}", request.by().actor(),
				name(), why);
	}

	private JdbcCheckpoints checkpoints(int generation) {
		return new JdbcCheckpoints(this.jdbc, this.services.schema(), id().ofGeneration(generation));
	}

	/** The name of the schema of a generation that is not live. */
	static String schema(ProjectorId generation) {
		String projector = generation.base();
		String plain = projector.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
		String prefix = plain.substring(0, Math.min(LONGEST_PREFIX, plain.length()));
		// Other projectors must not have the same.
		String mark = prefix.equals(projector) ? "" : "_%04x".formatted(projector.hashCode() & 0xffff);
		return prefix + mark + "_g" + generation.generation();
	}

	private ProjectorId id() {
		return this.endpoint.id();
	}

	private String name() {
		return this.endpoint.name();
	}

}
