package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.InvalidOptionsException;
import org.jspecify.annotations.Nullable;

/**
 * The effective options of one projector, from the settings of all places.
 * {@link ProjectorSettings} describes each of them.
 */
public record ProjectorOptions(DeliverPolicy deliverPolicy, Source source, UnknownTypePolicy unknownType,
		NewHandlersPolicy newHandlers, Order order, Flow flow, Retry retry, DeadLetterPolicy deadLetters) {

	/** 32 MiB. As objects they fit several times into a heap of 128 MiB. */
	private static final long MAX_IN_FLIGHT_BYTES = 32L << 20;

	/** The defaults. */
	public static final ProjectorSettings BUILT_IN = ProjectorSettings.builder()
		.deliverPolicy(DeliverPolicy.ALL)
		.source(Source.JETSTREAM)
		.unknownType(UnknownTypePolicy.SKIP)
		.newHandlers(NewHandlersPolicy.REWIND)
		.ordering(Ordering.PER_KEY)
		.ackWait(Duration.ofSeconds(30))
		.maxAckPending(4000)
		.batchSize(1000)
		.concurrency(2)
		.maxInFlightBytes(MAX_IN_FLIGHT_BYTES)
		.stalledAfter(Duration.ofMinutes(5))
		.maxDeliver(3)
		.retryDelay(Duration.ofSeconds(1))
		.retryMultiplier(2.0)
		.retryMaxDelay(Duration.ofMinutes(1))
		.retryFor(Set.of())
		.noRetryFor(Set.of())
		.onRepeatedFailure(RepeatedFailurePolicy.PAUSE)
		.repeatedFailures(20)
		.deadLetters(DeadLetterPolicy.BUILT_IN)
		.build();

	/**
	 * Creates options from settings. Values that the settings do not set come from
	 * {@link #BUILT_IN}.
	 * @throws InvalidOptionsException with every invalid value
	 */
	public static ProjectorOptions of(ProjectorSettings settings) {
		ProjectorSettings all = settings.orElse(BUILT_IN);
		Order order = new Order(said(all.order().ordering()), all.order().key());
		ProjectorOptions options = new ProjectorOptions(said(all.deliverPolicy()), said(all.source()),
				said(all.unknownType()), said(all.newHandlers()), order, Flow.of(all.flow()), Retry.of(all.retry()),
				DeadLetterPolicy.of(all.deadLetters(), order.ordering()));
		List<String> problems = options.problems();
		if (!problems.isEmpty()) {
			throw new InvalidOptionsException("a projector",
					"in code, or by the properties 'eventing.projectors.<name>.*' and 'eventing.projector.defaults.*'",
					problems);
		}
		return options;
	}

	private List<String> problems() {
		List<String> problems = new ArrayList<>();
		this.retry.addProblems(problems);
		this.flow.addProblems(problems);
		if (this.source != Source.JETSTREAM && this.order.ordering() == Ordering.NONE) {
			problems.add("'ordering' must be PER_KEY if 'source' is " + this.source
					+ ", because nodes do not compete there, was " + this.order.ordering());
		}
		if (this.source == Source.INLINE && this.flow.hasOneTenant()) {
			problems.add("'tenancy' must not be PER_TRANSACTION if 'source' is INLINE, because the transactions are"
					+ " those that append");
		}
		this.deadLetters.addProblems(problems, this.order.ordering());
		return problems;
	}

	private static void atLeast(List<String> problems, String name, long value, long least) {
		if (value < least) {
			problems.add("'" + name + "' must be at least " + least + ", was " + value);
		}
	}

	private static <T> T said(@Nullable T value) {
		return Objects.requireNonNull(value, "BUILT_IN sets everything except the key and the tenancy");
	}

	/** The order, and the expression for the ordering key. */
	public record Order(Ordering ordering, @Nullable String key) {
	}

	/**
	 * How many events a projector takes at once, and its time limits. The tenancy is null
	 * if no place sets it.
	 */
	public record Flow(Duration ackWait, int maxAckPending, int batchSize, int concurrency, long maxInFlightBytes,
			Duration stalledAfter, @Nullable Tenancy tenancy) {

		/** Whether each transaction that runs handlers has events of one tenant. */
		public boolean hasOneTenant() {
			return this.tenancy == Tenancy.PER_TRANSACTION;
		}

		static Flow of(ProjectorSettings.Flow all) {
			return new Flow(said(all.ackWait()), said(all.maxAckPending()), said(all.batchSize()),
					said(all.concurrency()), said(all.maxInFlightBytes()), said(all.stalledAfter()), all.tenancy());
		}

		private void addProblems(List<String> problems) {
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
		}

	}

	/**
	 * When and how many times a failed event is retried, and what happens if all fail.
	 */
	public record Retry(int maxDeliver, Duration delay, double multiplier, Duration maxDelay,
			Set<Class<? extends Throwable>> retryFor, Set<Class<? extends Throwable>> noRetryFor,
			RepeatedFailurePolicy onRepeatedFailure, int repeatedFailures) {

		static Retry of(ProjectorSettings.Retry all) {
			return new Retry(said(all.maxDeliver()), said(all.delay()), said(all.multiplier()), said(all.maxDelay()),
					Set.copyOf(said(all.retryFor())), Set.copyOf(said(all.noRetryFor())), said(all.onRepeatedFailure()),
					said(all.repeatedFailures()));
		}

		private void addProblems(List<String> problems) {
			atLeast(problems, "maxDeliver", this.maxDeliver, 1);
			atLeast(problems, "repeatedFailures", this.repeatedFailures, 1);
			if (this.delay.isNegative()) {
				problems.add("'retryDelay' must not be negative, was " + this.delay);
			}
			if (this.multiplier < 1) {
				problems.add("'retryMultiplier' must be at least 1, was " + this.multiplier);
			}
			if (this.maxDelay.compareTo(this.delay) < 0) {
				problems.add("'retryMaxDelay' must not be shorter than 'retryDelay' (" + this.delay + "), was "
						+ this.maxDelay);
			}
		}

	}

}
