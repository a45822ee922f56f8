package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The effective options of one projector, after all places that may say something were
 * asked. For the meaning of each see {@link ProjectorSettings}.
 */
public record ProjectorOptions(DeliverPolicy deliverPolicy, int maxDeliver, Duration ackWait, int maxAckPending,
		int batchSize, int concurrency, Ordering ordering, UnknownTypePolicy unknownType, Duration retryDelay,
		double retryMultiplier, Duration retryMaxDelay, Set<Class<? extends Throwable>> retryFor,
		Set<Class<? extends Throwable>> noRetryFor, @Nullable String key, Source source, DeadLetterPolicy deadLetters,
		long maxInFlightBytes, Duration stalledAfter, NewHandlersPolicy newHandlers) {

	/** 32 MiB: a heap of 128 MiB holds it several times over, as objects. */
	private static final long MAX_IN_FLIGHT_BYTES = 32L << 20;

	/** What holds where nobody says anything. */
	public static final ProjectorSettings BUILT_IN = new ProjectorSettings(DeliverPolicy.ALL, 3, Duration.ofSeconds(30),
			4000, 1000, 2, Ordering.PER_KEY, UnknownTypePolicy.SKIP, Duration.ofSeconds(1), 2.0, Duration.ofMinutes(1),
			Set.of(), Set.of(), null, Source.JETSTREAM, DeadLetterPolicy.BUILT_IN, MAX_IN_FLIGHT_BYTES,
			Duration.ofMinutes(5), NewHandlersPolicy.REWIND);

	/**
	 * Fills what the settings leave open from {@link #BUILT_IN}.
	 * @throws InvalidProjectorOptionsException naming every value that is out of range
	 */
	public static ProjectorOptions of(ProjectorSettings settings) {
		ProjectorSettings all = settings.orElse(BUILT_IN);
		ProjectorOptions options = new ProjectorOptions(said(all.deliverPolicy()), said(all.maxDeliver()),
				said(all.ackWait()), said(all.maxAckPending()), said(all.batchSize()), said(all.concurrency()),
				said(all.ordering()), said(all.unknownType()), said(all.retryDelay()), said(all.retryMultiplier()),
				said(all.retryMaxDelay()), Set.copyOf(said(all.retryFor())), Set.copyOf(said(all.noRetryFor())),
				all.key(), said(all.source()), DeadLetterPolicy.of(all.deadLetters(), said(all.ordering())),
				said(all.maxInFlightBytes()), said(all.stalledAfter()), said(all.newHandlers()));
		List<String> problems = options.problems();
		if (!problems.isEmpty()) {
			throw new InvalidProjectorOptionsException(problems);
		}
		return options;
	}

	private List<String> problems() {
		List<String> problems = new ArrayList<>();
		atLeast(problems, "maxDeliver", this.maxDeliver, 1);
		atLeast(problems, "maxAckPending", this.maxAckPending, 1);
		atLeast(problems, "batchSize", this.batchSize, 1);
		atLeast(problems, "concurrency", this.concurrency, 1);
		atLeast(problems, "maxInFlightBytes", this.maxInFlightBytes, 1);
		if (this.ackWait.toMillis() < 1000) {
			problems.add("'ackWait' must be at least 1000 ms, was " + this.ackWait.toMillis() + " ms");
		}
		if (this.stalledAfter.toMillis() < 1) {
			problems.add("'stalledAfter' must be at least 1 ms, was " + this.stalledAfter);
		}
		if (this.retryDelay.isNegative()) {
			problems.add("'retryDelay' must not be negative, was " + this.retryDelay);
		}
		if (this.retryMultiplier < 1) {
			problems.add("'retryMultiplier' must be at least 1, was " + this.retryMultiplier);
		}
		if (this.retryMaxDelay.compareTo(this.retryDelay) < 0) {
			problems.add("'retryMaxDelay' must not be shorter than 'retryDelay' (" + this.retryDelay + "), was "
					+ this.retryMaxDelay);
		}
		if (this.source == Source.EVENT_STORE && this.ordering == Ordering.NONE) {
			problems.add("'ordering' must be PER_KEY where 'source' is EVENT_STORE: nodes do not compete there, was "
					+ this.ordering);
		}
		this.deadLetters.addProblems(problems, this.ordering);
		return problems;
	}

	private static void atLeast(List<String> problems, String name, long value, long least) {
		if (value < least) {
			problems.add("'" + name + "' must be at least " + least + ", was " + value);
		}
	}

	private static <T> T said(@Nullable T value) {
		return Objects.requireNonNull(value, "BUILT_IN says everything but the key");
	}

}
