package dev.eventing.benchmark.sdk;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Stopwatch;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An application whose live read model is fed by the event store, while a generation may
 * be built beside it.
 */
public final class SdkBeside implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final long LOOK_NANOS = 1_000_000;

	private static final long LOOK_AT_BUILD_NANOS = 20_000_000;

	private final AnnotationConfigApplicationContext context;

	private final ProjectorRound round;

	private final Build build;

	private final Map<UUID, Long> appended = new ConcurrentHashMap<>();

	/** How late the machine was while events were appended. */
	private Duration late = Duration.ZERO;

	private SdkBeside(ProjectorRound round, Consumer<AnnotationConfigApplicationContext> handlers) {
		this.round = round;
		this.context = SdkApplication.ready(round, handlers);
		this.build = new Build(this.context, round.projector());
	}

	/** Makes all ready for a projector that begins with the first event. */
	public static SdkBeside ofNew(ProjectorRound round) {
		return new SdkBeside(round, (application) -> application.registerBean(UpsertHandler.class));
	}

	/**
	 * Makes all ready for a projector that has met the last event, and whose latencies
	 * are of interest: its version 1 feeds the live generation, and version 2 the other.
	 */
	public static SdkBeside upToDate(ProjectorRound round) throws SQLException {
		StoredChanges.settle(round.jdbcUrl(), round.projector());
		return new SdkBeside(round, (application) -> {
			application.registerBean(Observed.class);
			application.registerBean(Next.class);
		});
	}

	/** Starts the projector. */
	public void start() {
		this.context.start();
	}

	/** Returns when the build of a generation begins. */
	public void build() throws TimeoutException {
		this.build.begin();
	}

	/** The table of the generation that is built. */
	public String table() {
		return this.build.table();
	}

	/** How many events the live projector has applied. */
	public long applied() {
		return this.context.getBean(ProjectorRegistry.class).status(this.round.projector()).counts().processed();
	}

	/** Returns when the live projector has applied all events, or the build has ended. */
	public void awaitEither() {
		while (applied() < this.round.events() && !this.build.isReady()) {
			LockSupport.parkNanos(LOOK_AT_BUILD_NANOS);
		}
	}

	/** Returns when both generations have all events. */
	public void awaitBoth() throws TimeoutException {
		SdkProjector.awaitProcessed(this.context, this.round);
		this.build.awaitReady();
	}

	/**
	 * Appends these events at a rate that does not depend on their progress, as long as
	 * the build lasts, and waits until all are visible in the live read model.
	 * @param whileBuilding whether to end when the build ends
	 * @return how many were appended
	 */
	public int append(AccountChanges changes, int perSecond, boolean whileBuilding) throws TimeoutException {
		try (Stopwatch watch = Stopwatch.start()) {
			appendAtPace(changes, perSecond, whileBuilding);
			awaitVisible();
			this.late = watch.late();
		}
		return this.appended.size();
	}

	private void appendAtPace(AccountChanges changes, int perSecond, boolean whileBuilding) {
		Appender appender = new Appender(this.context);
		long interval = Duration.ofSeconds(1).toNanos() / perSecond;
		long next = System.nanoTime();
		for (AccountChange change : changes) {
			next += interval;
			SdkLatency.sleepUntil(next);
			this.appended.put(change.id(), System.nanoTime());
			appender.append(change.streamId(), List.of(NewEvent.of(change.payload()).withId(change.id())));
			if (whileBuilding && this.appended.size() % perSecond == 0 && this.build.isReady()) {
				break;
			}
		}
	}

	/** From before each append to after the commit that shows it. */
	public Latencies latencies() {
		Map<UUID, Long> visible = visible();
		return Latencies.ofNanos(this.appended.entrySet()
			.stream()
			.mapToLong((entry) -> visible.getOrDefault(entry.getKey(), Long.MAX_VALUE) - entry.getValue())
			.toArray(), this.late);
	}

	private Map<UUID, Long> visible() {
		return this.context.getBean(Observed.class).visible;
	}

	private void awaitVisible() throws TimeoutException {
		Map<UUID, Long> visible = visible();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!visible.keySet().containsAll(this.appended.keySet())) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(
						"Not all of " + this.appended.size() + " events are visible. Consider a look at the log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Version 1, which feeds the live generation: notes what has committed. */
	@Projector(value = "${projector}", tables = "account")
	static class Observed {

		private final Map<UUID, Long> visible = new ConcurrentHashMap<>();

		private final JdbcTemplate jdbc;

		Observed(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@ProjectorEventHandler(subject = "${subject}", source = Source.EVENT_STORE)
		void on(AccountChanged event, UUID eventId, String tenantId) {
			this.jdbc.update(ReadModel.UPSERT, event.account(), event.amount(), event.change());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					Observed.this.visible.put(eventId, System.nanoTime());
				}

			});
		}

	}

	/** Version 2, which feeds the generation beside it. */
	@Projector(value = "${projector}", version = 2, tables = "account")
	static class Next extends UpsertHandler {

		Next(JdbcTemplate jdbc) {
			super(jdbc);
		}

	}

}
