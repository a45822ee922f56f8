package dev.eventing.sdk.observability;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.GenerationStatus;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.worker.StallWatch;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of an application's projectors. It does not access a server. It reports the
 * last known state of the projectors, so it is cheap and shows an outage within seconds.
 *
 * <ul>
 * <li>{@code DOWN}: a projector is {@link ProjectorState#FAILED}, and an operator must
 * correct the cause; or it is {@link ProjectorState#STALLED} or
 * {@link ProjectorState#RESTARTING}, which the log explains.</li>
 * <li>{@code OUT_OF_SERVICE}: otherwise, if a projector waits for NATS or PostgreSQL. It
 * continues automatically.</li>
 * <li>{@code UP}: all other cases, including a projector that an operator stopped or
 * paused, failing pruning or reports, and whatever becomes of a generation beside the
 * live one. The details have the reason. The detail {@code stalled} names each thread
 * that hangs, also one for which events do not wait.</li>
 * </ul>
 *
 * <p>
 * It may be part of a readiness group. Keep it out of liveness: a restart resolves
 * neither an outage nor a wrong configuration, and causes redeliveries.
 */
public final class EventingHealthIndicator extends AbstractHealthIndicator {

	private final ProjectorRegistry projectors;

	private final NatsClient nats;

	private final Pruner pruner;

	private final StallWatch watch;

	public EventingHealthIndicator(ProjectorRegistry projectors, NatsClient nats, Pruner pruner, StallWatch watch) {
		super("The health of projectors cannot be determined");
		this.projectors = projectors;
		this.nats = nats;
		this.pruner = pruner;
		this.watch = watch;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<ProjectorStatus> all = this.projectors.status();
		if (all.stream().anyMatch(EventingHealthIndicator::isDown)) {
			builder.down();
		}
		else if (all.stream().anyMatch(EventingHealthIndicator::waits)) {
			builder.outOfService();
		}
		else {
			builder.up();
		}
		builder.withDetail("nats", Map.of("servers", this.nats.describe(), "connected", this.nats.isConnected()));
		Map<String, Object> details = new LinkedHashMap<>();
		Map<String, GenerationStatus> beside = this.projectors.generations()
			.stream()
			.collect(Collectors.toMap(GenerationStatus::projector, Function.identity()));
		all.forEach((status) -> details.put(status.projector(), details(status, beside.get(status.projector()))));
		builder.withDetail("projectors", details);
		String pruning = this.pruner.lastFailure();
		if (pruning != null) {
			builder.withDetail("pruning", pruning);
		}
		String generations = this.projectors.generationsFailure();
		if (generations != null) {
			builder.withDetail("generations", generations);
		}
		String reporting = this.projectors.reportingFailure();
		if (reporting != null) {
			builder.withDetail("reporting", reporting);
		}
		stalls(builder);
	}

	/** Events do not wait for these threads, or the state of their projector shows it. */
	private void stalls(Health.Builder builder) {
		Map<String, Object> stalled = new LinkedHashMap<>();
		this.watch.stalls().forEach((stall) -> stalled.put(stall.what(), stall.describe()));
		if (!stalled.isEmpty()) {
			builder.withDetail("stalled", stalled);
		}
	}

	private static boolean isDown(ProjectorStatus status) {
		return status.state() == ProjectorState.FAILED || status.state() == ProjectorState.STALLED
				|| status.state() == ProjectorState.RESTARTING || status.state() == ProjectorState.PAUSED_BY_FAILURES;
	}

	private static boolean waits(ProjectorStatus status) {
		return status.state() == ProjectorState.WAITING_FOR_NATS
				|| status.state() == ProjectorState.WAITING_FOR_DATABASE
				|| status.state() == ProjectorState.WAITING_FOR_NEWER_CODE;
	}

	private static Map<String, Object> details(ProjectorStatus status, @Nullable GenerationStatus beside) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state());
		details.put("detail", status.detail());
		if (!status.since().equals(Instant.EPOCH)) {
			details.put("since", status.since());
		}
		details.put("inFlight", status.inFlight());
		details.put("waitingForRetry", status.waitingForRetry());
		details.put("pending", status.pending());
		ProjectorCounts counts = status.counts();
		details.put("processed", counts.processed());
		details.put("duplicates", counts.duplicates());
		details.put("differing", counts.differing());
		details.put("skipped", counts.skipped());
		details.put("failedAttempts", counts.failedAttempts());
		details.put("deadLetters", counts.deadLetters());
		details.put("parked", counts.parked());
		details.put("redriven", counts.redriven());
		if (beside != null) {
			details.put("generation", details(beside));
		}
		return details;
	}

	private static Map<String, Object> details(GenerationStatus beside) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("number", beside.generation());
		details.put("status", beside.status());
		if (beside.failure() != null) {
			details.put("failure", beside.failure());
		}
		ProjectorStatus here = beside.here();
		if (here != null) {
			details.put("state", here.state().name());
			details.put("detail", here.detail());
		}
		return details;
	}

}
