package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.projection.ledger.ControlLedger;
import dev.eventing.sdk.projection.ledger.NodeLedger;
import dev.eventing.sdk.projection.ledger.NodeReport;
import dev.eventing.sdk.projector.GenerationStatus;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.control.ControlPoll;
import dev.eventing.sdk.projector.control.NodeReporter;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.inline.InlineAppends;
import dev.eventing.sdk.projector.progress.ProgressReader;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.worker.OneShot;
import dev.eventing.sdk.worker.PeriodicTasks;
import dev.eventing.sdk.worker.RunningPart;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;

/** All projectors of an application, each in its own container. Thread-safe. */
public final class ProjectorContainers
		implements ProjectorRegistry, ProjectorEndpoints, RunningPart, Watched, AutoCloseable {

	private static final int SHARED_CONNECTIONS = 2;

	/** In addition to twice the drain time-out. A stop that takes longer is abandoned. */
	private static final Duration STOPS_WITHIN = Duration.ofMinutes(1);

	/** A report that takes longer is of no use: the next one follows. */
	private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);

	/** The reason in the audit if the application gives none. */
	private static final String BY_APPLICATION = "requested by the application";

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainers.class);

	private final Map<String, ProjectorContainer> containers = Collections.synchronizedMap(new LinkedHashMap<>());

	private final ProjectorServices services;

	private final InlineAppends inline;

	private final Duration drain;

	private final PeriodicTasks tasks = new PeriodicTasks("eventing-in-progress");

	private final NodeParts node;

	private final RedrivePoll redrivePoll;

	private final ControlPoll controls;

	private final NodeReporter reporter;

	private final GenerationKeeper generations;

	private final StartRules rules;

	private volatile boolean running;

	/**
	 * Creates a registry with platform threads.
	 * @param services the services that all projectors share
	 * @param drain how long a stop waits for events that lanes hold
	 */
	public ProjectorContainers(ProjectorServices services, Duration drain) {
		this(services, new ProjectorRuntime(drain, Thread::new, ProjectorRuntime.DEFAULT_STANDBY_LIMIT),
				new InlineAppends(new JdbcTemplate(services.dataSource()), services.schema(), services.reader(),
						services.store()));
	}

	/**
	 * Creates a registry.
	 * @param services the services that all projectors share
	 * @param runtime the settings that apply to all projectors
	 * @param inline runs the handlers of inline projectors in appends
	 */
	public ProjectorContainers(ProjectorServices services, ProjectorRuntime runtime, InlineAppends inline) {
		this.services = services;
		this.inline = inline;
		this.drain = runtime.drainTimeout();
		this.rules = new StartRules(services);
		this.redrivePoll = new RedrivePoll(
				new RedriveLedger(new JdbcTemplate(services.dataSource()), services.schema()));
		this.controls = new ControlPoll(new ControlLedger(services.dataSource(), services.schema()));
		this.node = new NodeParts(services, runtime.laneThreads(), this.tasks, this.redrivePoll,
				new FailureText(runtime.exceptionMessages()));
		this.generations = new GenerationKeeper(this::all, services, runtime);
		this.controls.onLook(this.generations::follow);
		this.controls.alsoLookForLetters(this.redrivePoll::due, this.redrivePoll::answered);
		ProjectorProgress progress = new ProgressReader(this, services);
		this.reporter = new NodeReporter(
				new NodeLedger(BoundedDataSource.of(services.dataSource(), REPORT_TIMEOUT), services.schema()),
				services.leases().node(), () -> all().stream().flatMap(ProjectorContainer::generations).toList(),
				() -> reports(new PausedLags(progress, services.nats()::isConnected)));
	}

	private List<NodeReport> reports(PausedLags paused) {
		return all().stream().flatMap((container) -> container.reports(paused)).toList();
	}

	@Override
	public void register(ProjectorEndpoint endpoint) {
		endpoint.handlers()
			.forEach((handler) -> handler.eventClasses().forEach(this.services.store().writer()::handled));
		this.containers
			.computeIfAbsent(endpoint.name(),
					(name) -> new ProjectorContainer(endpoint.id(), this.node, this.controls.switchOf(endpoint.id())))
			.add(endpoint);
		this.inline.add(endpoint);
	}

	@Override
	public PlatformTransactionManager transactionManager() {
		return this.services.transactionManager();
	}

	@Override
	public int connections() {
		int connections = endpoints().stream().mapToInt(ProjectorEndpoint::connections).sum();
		return (connections > 0) ? connections + SHARED_CONNECTIONS : 0;
	}

	@Override
	public int connectionsBeside() {
		return endpoints().stream()
			.filter((endpoint) -> endpoint.hasOneOwner() && endpoint.readModel().canStandBeside())
			.mapToInt(ProjectorEndpoint::connections)
			.max()
			.orElse(0);
	}

	@Override
	public void start() {
		List<RuntimeException> mistakes = new ArrayList<>();
		boolean tried = false;
		StartLines.log(endpoints());
		try {
			for (ProjectorContainer container : all()) {
				RuntimeException mistake = start(container);
				if (mistake != null) {
					mistakes.add(mistake);
				}
			}
			this.running = true;
			tried = true;
		}
		finally {
			if (!tried || !mistakes.isEmpty()) {
				stop();
			}
		}
		refuseWith(mistakes);
	}

	private static void refuseWith(List<RuntimeException> mistakes) {
		if (!mistakes.isEmpty()) {
			ProjectorStartException refusal = new ProjectorStartException(
					mistakes.stream().map((mistake) -> String.valueOf(mistake.getMessage())).toList());
			mistakes.forEach(refusal::addSuppressed);
			throw refusal;
		}
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		Stream<Stall> ofTheNode = Stream
			.of(this.redrivePoll.worker(), this.controls, this.reporter, this.generations, this.tasks)
			.flatMap((part) -> part.stalls(longest).stream());
		return Stream.concat(all().stream().flatMap(ProjectorContainer::stalls), ofTheNode).toList();
	}

	/**
	 * Returns what must be corrected before the projector can start; null if it started.
	 */
	private @Nullable RuntimeException start(ProjectorContainer container) {
		try {
			this.rules.require(container.versions().values());
			this.reporter.start();
			return container.start() ? null : notStarted(container, "stopped");
		}
		catch (EventingException | IllegalTransactionStateException ex) {
			return ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return notStarted(container, "interrupted");
		}
	}

	private static RuntimeException notStarted(ProjectorContainer container, String why) {
		return new IllegalStateException("Projector '" + container.name() + "' was " + why + " while it started.");
	}

	@Override
	public void stop() {
		List<OneShot> stops = new ArrayList<>();
		for (ProjectorContainer container : all()) {
			stops.add(OneShot.of(container.id().thread("stop"), () -> stop(container)));
		}
		stops.add(OneShot.of("eventing-generations-stop", this.generations::stop));
		// It may wait for the database, so it stops while the projectors stop.
		stops.add(OneShot.of("eventing-node-reports-stop", this.reporter::stop));
		OneShot.runAll(stops, this.drain.multipliedBy(2).plus(STOPS_WITHIN));
		this.running = false;
	}

	private void stop(ProjectorContainer container) {
		try {
			container.stop(this.drain);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			logger.warn("Projector '{}' was interrupted while it stopped.", container.name());
		}
	}

	@Override
	public void start(String name) {
		RuntimeException mistake = start(find(name));
		refuseWith((mistake != null) ? List.of(mistake) : List.of());
	}

	@Override
	public void stop(String name) {
		stop(find(name));
	}

	@Override
	public void pause(String name) {
		pause(name, this.services.leases().node(), BY_APPLICATION);
	}

	@Override
	public void pause(String name, String actor, String reason) {
		find(name).pause().pause(actor, reason);
	}

	@Override
	public void resume(String name) {
		resume(name, this.services.leases().node(), BY_APPLICATION);
	}

	@Override
	public void resume(String name, String actor, @Nullable String reason) {
		find(name).pause().resume(actor, reason);
	}

	@Override
	public List<GenerationStatus> generations() {
		return this.generations.status();
	}

	@Override
	public @Nullable String generationsFailure() {
		return this.generations.failure();
	}

	@Override
	public @Nullable String reportingFailure() {
		return this.reporter.failure();
	}

	@Override
	public List<ProjectorStatus> status() {
		return all().stream().map(ProjectorContainer::status).toList();
	}

	@Override
	public ProjectorStatus status(String name) {
		return find(name).status();
	}

	@Override
	public ProjectorEndpoint endpoint(String name) {
		return find(name).endpoint();
	}

	@Override
	public List<ProjectorEndpoint> versions(String name) {
		return List.copyOf(find(name).versions().values());
	}

	@Override
	public List<ProjectorEndpoint> endpoints() {
		return all().stream().map(ProjectorContainer::endpoint).toList();
	}

	private ProjectorContainer find(String name) {
		ProjectorContainer container = this.containers.get(name);
		if (container == null) {
			throw new UnknownNameException("There is no projector '" + name + "'.",
					List.copyOf(this.containers.keySet()), "");
		}
		return container;
	}

	private List<ProjectorContainer> all() {
		synchronized (this.containers) {
			return List.copyOf(this.containers.values());
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public Duration longestStop() {
		return this.drain.multipliedBy(2).plus(RunningPart.super.longestStop());
	}

	/** Stops all projectors and helper threads, also if the application did not start. */
	@Override
	public void close() {
		stop();
		this.redrivePoll.close();
		this.controls.close();
		this.tasks.close();
	}

}
