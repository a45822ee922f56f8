package dev.eventing.sdk.observability;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * What this node has pruned of each projector, with the tag {@code projector}:
 * {@code eventing.projector.pruned}, rows of {@code processed_events} that are gone, and
 * {@code eventing.projector.pruned.age}, seconds since the last pass ended, not a number
 * where there was none. Asks no server. As a bean it also finds the projectors that are
 * registered after it was bound.
 */
public final class PruningMetrics implements MeterBinder, ApplicationListener<ContextRefreshedEvent> {

	private static final String ROWS = "eventing.projector.pruned";

	private static final String AGE = "eventing.projector.pruned.age";

	private final Pruner pruner;

	private final List<MeterRegistry> bound = new CopyOnWriteArrayList<>();

	public PruningMetrics(Pruner pruner) {
		this.pruner = pruner;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(registry);
		bindAll(registry);
	}

	/** Meters that exist already are left as they are. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.bound.forEach(this::bindAll);
	}

	private void bindAll(MeterRegistry registry) {
		this.pruner.status()
			.stream()
			.map(PruningStatus::projector)
			.filter((projector) -> registry.find(ROWS).tag("projector", projector).functionCounter() == null)
			.forEach((projector) -> bind(registry, projector));
	}

	private void bind(MeterRegistry registry, String projector) {
		FunctionCounter.builder(ROWS, this.pruner, read(projector, PruningStatus::rows))
			.tag("projector", projector)
			.description("Rows of processed_events that this node has deleted")
			.register(registry);
		Gauge.builder(AGE, this.pruner, read(projector, PruningMetrics::age))
			.tag("projector", projector)
			.baseUnit("seconds")
			.description("Since the last pass of this node ended")
			.register(registry);
	}

	private static double age(PruningStatus status) {
		Instant last = status.lastPass();
		return (last != null) ? Duration.between(last, Instant.now()).toMillis() / 1000.0 : Double.NaN;
	}

	private static ToDoubleFunction<Pruner> read(String projector, ToDoubleFunction<PruningStatus> value) {
		return (pruner) -> pruner.status()
			.stream()
			.filter((status) -> status.projector().equals(projector))
			.mapToDouble(value)
			.findFirst()
			.orElse(Double.NaN);
	}

}
