package dev.eventing.benchmark.sdk;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.Source;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A projector of the SDK.
 *
 * @param style what its handler is like
 * @param source where it reads
 * @param lanes how many lanes it has; 0 for the SDK's default
 * @param batch the most events in one transaction; 0 for the SDK's default
 * @param pruning whether rows of {@code processed_events} that are old are pruned
 * meanwhile, pass upon pass
 */
public record SdkProjector(Style style, Source source, int lanes, int batch,
		boolean pruning) implements ProjectorContender {

	/** Rows that the harness wrote as old are older; a round's rows are not. */
	private static final PruningOptions PRUNING = new PruningOptions(true, Duration.ofHours(18),
			Duration.ofMillis(100));

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final long LOOK_NANOS = 5_000_000;

	/** A projector that reads JetStream, with default settings. */
	public static SdkProjector withDefaults(Style style) {
		return withLanes(style, 0);
	}

	/** A projector that reads JetStream on the given number of lanes. */
	public static SdkProjector withLanes(Style style, int lanes) {
		return new SdkProjector(style, Source.JETSTREAM, lanes, 0, false);
	}

	/** A projector that reads JetStream and commits at most this many events at once. */
	public static SdkProjector withBatches(Style style, int batch) {
		return new SdkProjector(style, Source.JETSTREAM, 0, batch, false);
	}

	/** A projector that reads the event store, with default settings. */
	public static SdkProjector fedByTheStore(Style style) {
		return new SdkProjector(style, Source.EVENT_STORE, 0, 0, false);
	}

	/** The same while old rows are pruned. */
	public SdkProjector whilePruning() {
		return new SdkProjector(this.style, this.source, this.lanes, this.batch, true);
	}

	/** The default number of a projector's lanes. */
	public static int defaultLanes() {
		return ProjectorOptions.of(ProjectorSettings.NONE).get(ProjectorSettings::concurrency);
	}

	@Override
	public String id() {
		return "sdk-" + this.style.id + ((this.source == Source.EVENT_STORE) ? "-store" : "")
				+ ((this.lanes == 0) ? "" : "-" + this.lanes) + ((this.batch == 0) ? "" : "-of-" + this.batch)
				+ (this.pruning ? "-pruning" : "");
	}

	@Override
	public String title() {
		int number = (this.lanes == 0) ? defaultLanes() : this.lanes;
		return "SDK: " + this.style.title + ((this.source == Source.EVENT_STORE) ? " fed by the event store" : "")
				+ ", " + ((this.lanes == 0) ? "defaults (" : "") + ((number == 1) ? "1 lane" : number + " lanes")
				+ ((this.lanes == 0) ? ")" : "") + ((this.batch == 0) ? "" : ", batches of " + this.batch);
	}

	@Override
	public String loopByHand() {
		return "handwritten-" + this.style.loop + "-" + ((this.lanes == 0) ? defaultLanes() : this.lanes);
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public Projection prepare(ProjectorRound round) throws Exception {
		boolean stored = this.source == Source.EVENT_STORE;
		Map<String, Object> properties = Map.of("projector", round.projector(), "subject",
				stored ? StoredChanges.SUBJECT : round.subject());
		if (stored) {
			StoredChanges.fill(round.jdbcUrl(), round.changes());
		}
		AnnotationConfigApplicationContext context = SdkApplication.ready(round.natsUrl(), round.jdbcUrl(),
				round.poolSize(), properties, (application) -> {
					application.registerBean(ProjectorSettingsSource.class, this::settings);
					application.registerBean(PruningOptions.class, () -> this.pruning ? PRUNING : PruningOptions.NEVER);
					this.style.register(application);
				});
		return new Run(context, round);
	}

	private ProjectorSettingsSource settings() {
		Integer concurrency = (this.lanes == 0) ? null : this.lanes;
		Integer batchSize = (this.batch == 0) ? null : this.batch;
		ProjectorSettings settings = ProjectorSettings.builder()
			.batchSize(batchSize)
			.concurrency(concurrency)
			.source(this.source)
			.build();
		return new ProjectorSettingsSource() {

			@Override
			public ProjectorSettings defaults() {
				return settings;
			}

			@Override
			public ProjectorSettings forProjector(String name) {
				return ProjectorSettings.NONE;
			}

		};
	}

	/** Returns when the projector of the round has applied all events. */
	static void awaitProcessed(ApplicationContext context, ProjectorRound round) throws TimeoutException {
		ProjectorRegistry registry = context.getBean(ProjectorRegistry.class);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		ProjectorCounts counts = registry.status(round.projector()).counts();
		while (counts.processed() < round.events()) {
			if (counts.failedAttempts() > 0 || System.nanoTime() - deadline > 0) {
				throw new TimeoutException("Projector '" + round.projector() + "' does not get on: " + counts
						+ ". Consider a look at its log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
			counts = registry.status(round.projector()).counts();
		}
	}

	/** The styles of handlers. */
	public enum Style {

		/** One statement for each event, at once. */
		PLAIN("plain", "plain handler", "batch"),

		/** One statement for each event, handed over. */
		DEFERRED("deferred", "deferred writes", "batched"),

		/** One statement for many events. */
		BATCH("batch", "batch handler", "set");

		private final String id;

		private final String title;

		private final String loop;

		Style(String id, String title, String loop) {
			this.id = id;
			this.title = title;
			this.loop = loop;
		}

		private void register(AnnotationConfigApplicationContext context) {
			switch (this) {
				case PLAIN -> context.registerBean(PlainHandler.class);
				case DEFERRED -> context.registerBean(DeferredHandler.class);
				case BATCH -> context.registerBean(BatchHandler.class);
			}
		}

	}

	/** Starts the application and looks at what the projector has counted. */
	record Run(AnnotationConfigApplicationContext context, ProjectorRound round) implements Projection {

		@Override
		public void run() throws Exception {
			this.context.start();
			awaitProcessed(this.context, this.round);
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
