package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.UnknownProjectorException;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.worker.PeriodicTasks;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.StallWatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * All projectors of an application, each in a container of its own. Thread-safe.
 */
public final class ProjectorContainers implements ProjectorRegistry, ProjectorEndpoints, AutoCloseable {

	private static final int SHARED_CONNECTIONS = 2;

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainers.class);

	private final Map<String, ProjectorContainer> containers = Collections.synchronizedMap(new LinkedHashMap<>());

	private final ProjectorServices services;

	private final Duration drain;

	private final PeriodicTasks tasks = new PeriodicTasks("eventing-signs-of-life");

	private final StallWatch watch = new StallWatch("eventing-projector-watch", this::stalls);

	private final ProjectorThreads threads;

	private final RedrivePoll redrivePoll;

	private volatile boolean running;

	/**
	 * Makes a registry on platform threads.
	 * @param services what the projectors share
	 * @param drain how long a stop waits for what the lanes hold
	 */
	public ProjectorContainers(ProjectorServices services, Duration drain) {
		this(services, drain, Thread::new);
	}

	/**
	 * Makes a registry.
	 * @param services what the projectors share
	 * @param drain how long a stop waits for what the lanes hold
	 * @param threads makes the threads of lanes; they may be virtual
	 */
	public ProjectorContainers(ProjectorServices services, Duration drain, ThreadFactory threads) {
		this.services = services;
		this.drain = drain;
		this.threads = new ProjectorThreads(threads, this.tasks);
		this.redrivePoll = new RedrivePoll(
				new RedriveLedger(new JdbcTemplate(services.dataSource()), services.schema()));
	}

	@Override
	public void register(ProjectorEndpoint endpoint) {
		ProjectorContainer container = new ProjectorContainer(endpoint, this.services, this.threads, this.redrivePoll);
		if (this.containers.putIfAbsent(endpoint.name(), container) != null) {
			throw new IllegalStateException("There is a projector '" + endpoint.name() + "' already.");
		}
	}

	@Override
	public PlatformTransactionManager transactionManager() {
		return this.services.transactionManager();
	}

	@Override
	public int connections() {
		int connections = 0;
		for (ProjectorEndpoint endpoint : endpoints()) {
			connections += endpoint.options().flow().concurrency() + 1;
		}
		return (connections > 0) ? connections + SHARED_CONNECTIONS : 0;
	}

	@Override
	public void start() {
		List<String> problems = new ArrayList<>();
		for (ProjectorContainer container : all()) {
			String problem = start(container);
			if (problem != null) {
				problems.add(problem);
			}
		}
		this.running = true;
		this.watch.start();
		if (!problems.isEmpty()) {
			stop();
			throw new ProjectorStartException(problems);
		}
	}

	private List<Stall> stalls() {
		return all().stream().map(ProjectorContainer::stall).filter(Objects::nonNull).toList();
	}

	private static @Nullable String start(ProjectorContainer container) {
		try {
			return container.start() ? null : "Projector '" + container.name() + "' was stopped while it started.";
		}
		catch (JetStreamConfigurationException ex) {
			return ex.getMessage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "Projector '" + container.name() + "' was interrupted while it started.";
		}
	}

	@Override
	public void stop() {
		List<Thread> stops = new ArrayList<>();
		for (ProjectorContainer container : all()) {
			Thread stop = new Thread(() -> stop(container), container.name() + "-stop");
			stop.start();
			stops.add(stop);
		}
		for (Thread stop : stops) {
			try {
				stop.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
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
		String problem = start(find(name));
		if (problem != null) {
			throw new ProjectorStartException(List.of(problem));
		}
	}

	@Override
	public void stop(String name) {
		stop(find(name));
	}

	@Override
	public void pause(String name) {
		find(name).pause(true);
	}

	@Override
	public void resume(String name) {
		find(name).pause(false);
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
	public List<ProjectorEndpoint> endpoints() {
		return all().stream().map(ProjectorContainer::endpoint).toList();
	}

	private ProjectorContainer find(String name) {
		ProjectorContainer container = this.containers.get(name);
		if (container == null) {
			throw new UnknownProjectorException(name, List.copyOf(this.containers.keySet()));
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
	public int getPhase() {
		return PHASE;
	}

	/** Stops what still runs, also when the application never came up. */
	@Override
	public void close() {
		stop();
		this.watch.close();
		this.redrivePoll.close();
		this.tasks.close();
	}

}
