package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ledger.NodeReport;
import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.rebuild.DefinitionNews;
import dev.eventing.sdk.projector.rebuild.GenerationBuilder;
import dev.eventing.sdk.projector.source.EventSources;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One projector, in one or several versions, and the generations of it that this node
 * feeds: the live one, which can be started and stopped repeatedly, and those beside it.
 * Thread-safe.
 */
final class ProjectorContainer {

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainer.class);

	/**
	 * How long a stop waits for a start that it interrupted. A driver may ignore the
	 * interrupt while it reads.
	 */
	private static final Duration START_ENDS_WITHIN = Duration.ofSeconds(2);

	private final ProjectorId id;

	/** At least one when it starts. */
	private final NavigableMap<Integer, ProjectorEndpoint> versions = new ConcurrentSkipListMap<>();

	private final NodeParts node;

	private final ProjectorRuns runs;

	/**
	 * Held during a start or a stop, which can take seconds. Reading the status does not
	 * wait for it.
	 */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private final StartUnderWay starting = new StartUnderWay();

	/** Of the live generation. Set from start to stop. */
	private volatile @Nullable Tenure live;

	/** Of the generations beside the live one. */
	private final Map<Integer, OwnedTenure> beside = new ConcurrentHashMap<>();

	private final PauseSwitch pause;

	private final DefinitionNews news;

	/** Has no version yet. */
	ProjectorContainer(ProjectorId id, NodeParts node, PauseSwitch pause) {
		this.id = id;
		this.node = node;
		this.pause = pause;
		this.runs = new ProjectorRuns(node, pause, new ProjectorCounters());
		this.news = new DefinitionNews(id, node.services());
	}

	/** Adds a version. Call it before the start. */
	void add(ProjectorEndpoint version) {
		if (this.versions.putIfAbsent(version.readModel().version(), version) != null) {
			throw new IllegalStateException("Projector '" + this.id + "' exists already.");
		}
	}

	/** The newest version. */
	ProjectorEndpoint endpoint() {
		return this.versions.lastEntry().getValue();
	}

	NavigableMap<Integer, ProjectorEndpoint> versions() {
		return this.versions;
	}

	ProjectorId id() {
		return this.id;
	}

	String name() {
		return this.id.base();
	}

	/**
	 * Starts the projector. If another node owns it, this node stands by. Does nothing if
	 * it is already started.
	 * @return false if a stop interrupted the start
	 * @throws JetStreamConfigurationException if the stream or the durable does not fit
	 * the projector
	 * @throws InterruptedException if the thread must stop
	 */
	boolean start() throws InterruptedException {
		this.lifecycle.lockInterruptibly();
		try {
			return isStarted() || startUnlessStopped();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private boolean startUnlessStopped() throws InterruptedException {
		InterruptedException interrupted = null;
		boolean stopped;
		this.starting.begin();
		try {
			begin();
		}
		catch (InterruptedException ex) {
			interrupted = ex;
		}
		finally {
			stopped = this.starting.end();
		}
		if (stopped) {
			end(Duration.ZERO);
		}
		else if (interrupted != null) {
			throw interrupted;
		}
		return !stopped;
	}

	private void begin() throws InterruptedException {
		this.pause.open();
		Tenure next = endpoint().hasOneOwner()
				? new OwnedTenure(endpoint(), new LiveProjector(this.versions, this.runs, this.news), this.runs)
				: new SharedTenure(endpoint(), this.runs);
		this.pause.onRequest(next::look);
		boolean begun = false;
		try {
			if (!next.start()) {
				this.news.look(this.versions);
				check();
			}
			this.live = next;
			begun = true;
		}
		finally {
			if (!begun) {
				next.stop(Duration.ZERO);
			}
		}
	}

	/** Finds configuration errors of the stream also while this node stands by. */
	private void check() {
		try {
			EventSources.of(endpoint(), this.node.services()).check();
		}
		catch (NatsUnavailableException ex) {
			logger.debug("Projector '{}' is not checked while NATS is unreachable.", name(), ex);
		}
	}

	/**
	 * Stops the projector: takes no more events, runs what the lanes hold within the
	 * time, naks the rest, and releases the lease. Interrupts a start that is under way.
	 * If that start does not end in time, returns, and the start is undone when it ends.
	 * Generations beside the live one continue.
	 */
	void stop(Duration drain) throws InterruptedException {
		if (!this.starting.interrupt()) {
			this.lifecycle.lockInterruptibly();
		}
		else if (!this.lifecycle.tryLock(START_ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.warn("Projector '{}' is still starting. It stops when the start ends.", name());
			return;
		}
		try {
			end(drain);
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void end(Duration drain) throws InterruptedException {
		this.pause.close();
		this.news.stop();
		Tenure current = this.live;
		if (current != null) {
			this.live = null;
			current.stop(drain);
		}
	}

	/**
	 * Feeds a generation beside the live one, or stands by for it.
	 * @param version the version that feeds it
	 * @param builder for that version
	 */
	void feed(int generation, ProjectorEndpoint version, GenerationBuilder builder) throws InterruptedException {
		ProjectorRuns counted = new ProjectorRuns(this.node, this.pause, new ProjectorCounters());
		BesideProjector projector = new BesideProjector(version, generation, counted, builder);
		OwnedTenure next = new OwnedTenure(projector.endpoint(), projector, counted);
		next.start();
		this.beside.put(generation, next);
	}

	/** Stops feeding a generation, as a projector is stopped. */
	void stopFeeding(int generation, Duration drain) throws InterruptedException {
		OwnedTenure current = this.beside.remove(generation);
		if (current != null) {
			current.stop(drain);
		}
	}

	/** The generations beside the live one that this node feeds or stands by for. */
	Set<Integer> fed() {
		return Set.copyOf(this.beside.keySet());
	}

	/** What this node does for a generation beside the live one; null if nothing. */
	@Nullable Tenure beside(int generation) {
		return this.beside.get(generation);
	}

	/** The switch that pauses the projector, and knows whether it is paused. */
	PauseSwitch pause() {
		return this.pause;
	}

	/** Whether it was started and not stopped since. */
	boolean isStarted() {
		return this.live != null;
	}

	/** The status of the live generation. */
	ProjectorStatus status() {
		Tenure current = this.live;
		return (current != null) ? current.status() : this.runs.stopped(name());
	}

	/** Which generations this node has, by which code, and in which states. */
	Stream<Had> generations() {
		return Stream.concat(Stream.of(Had.of(endpoint(), status())),
				this.beside.values().stream().map((each) -> Had.of(each.endpoint(), each.status())));
	}

	/**
	 * What this node reports of the projector's generations.
	 * @param paused asked only while the projector is paused and reads JetStream
	 */
	Stream<NodeReport> reports(PausedLags paused) {
		ProjectorStatus status = status();
		NodeReport report = report(endpoint(), status, behind(status.state(), paused), ownership());
		return Stream.concat(Stream.of(report),
				this.beside.values()
					.stream()
					.map((each) -> report(each.endpoint(), each.status(), each.behind(), Map.of())));
	}

	private static NodeReport report(ProjectorEndpoint version, ProjectorStatus status, Behind behind,
			Map<Integer, List<Ownership>> ownership) {
		return new NodeReport(version.name(), version.readModel().version(), version.readModel().script() != null,
				status.state().name(), status.detail(), behind, ownership);
	}

	private Map<Integer, List<Ownership>> ownership() {
		Map<Integer, List<Ownership>> ownership = new TreeMap<>();
		this.versions
			.forEach((version, endpoint) -> ownership.put(version, RowOwnership.of(endpoint.readModel().columns())));
		return ownership;
	}

	private Behind behind(ProjectorState state, PausedLags paused) {
		if (state == ProjectorState.PAUSED && !endpoint().readsEventStore()) {
			return paused.of(name());
		}
		Tenure current = this.live;
		return (current != null) ? current.behind() : Behind.UNKNOWN;
	}

	/** The stalls of its generations on this node. Sends no request. */
	Stream<Stall> stalls() {
		return Stream.concat(Stream.ofNullable(this.live), this.beside.values().stream())
			.map(Tenure::stall)
			.filter(Objects::nonNull);
	}

	/** What other nodes must learn at once of a generation that this node has. */
	record Had(String projector, int version, ProjectorState state) {

		private static Had of(ProjectorEndpoint endpoint, ProjectorStatus status) {
			return new Had(endpoint.name(), endpoint.readModel().version(), status.state());
		}

	}

}
