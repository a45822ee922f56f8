package dev.eventing.sdk.observability;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.GenerationStatus;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the generation that stands beside a projector's live one, under the names of
 * the live one's meters. The tag {@code role} tells them apart. A meter belongs to a role
 * and not to a generation: a switch changes what it measures, and not what it is.
 */
final class GenerationMetrics {

	private final MeterRegistry registry;

	private final ProjectorRegistry projectors;

	private final ProjectorId projector;

	private final Role role;

	private final Tags tags;

	private GenerationMetrics(MeterRegistry registry, ProjectorRegistry projectors, ProjectorId projector, Role role) {
		this.registry = registry;
		this.projectors = projectors;
		this.projector = projector;
		this.role = role;
		this.tags = ProjectorMeters.tags(projector, role.name().toLowerCase(Locale.ROOT));
	}

	/**
	 * Registers the meters, if the projector can have a generation beside the live one:
	 * it declares its tables, and has one owner.
	 */
	static void bind(MeterRegistry registry, ProjectorRegistry projectors, ProjectorId projector) {
		var endpoint = projectors.endpoint(projector.base());
		if (endpoint.hasOneOwner() && endpoint.readModel().canStandBeside()) {
			Stream.of(Role.values())
				.map((role) -> new GenerationMetrics(registry, projectors, projector, role))
				.forEach(GenerationMetrics::bind);
		}
	}

	private void bind() {
		events("processed", ProjectorCounts::processed);
		events("duplicate", ProjectorCounts::duplicates);
		events("skipped", ProjectorCounts::skipped);
		events("dead", ProjectorCounts::deadLetters);
		events("parked", ProjectorCounts::parked);
		counter("attempts.failed", this.tags, ProjectorCounts::failedAttempts);
		gauge("in.flight", ProjectorStatus::inFlight);
		gauge("waiting.for.retry", ProjectorStatus::waitingForRetry);
		gauge("stalled", (status) -> (status.state() == ProjectorState.STALLED) ? 1 : 0);
		gauge("running", (status) -> (status.state() == ProjectorState.RUNNING) ? 1 : 0);
		lag("lag.events", null, Behind::events, Long::doubleValue);
		lag("lag.time", "seconds", Behind::time, (time) -> time.toMillis() / 1000.0);
	}

	private void events(String outcome, ToDoubleFunction<ProjectorCounts> value) {
		counter("events", this.tags.and("outcome", outcome), value);
	}

	/** Goes on with the next generation that gets the role. */
	private void counter(String name, Tags all, ToDoubleFunction<ProjectorCounts> value) {
		Total total = new Total();
		// A meter refers weakly to its object, and strongly to its function.
		FunctionCounter
			.builder(ProjectorMeters.PREFIX + name, this.projectors, (registered) -> total.with(() -> count(value)))
			.tags(all)
			.register(this.registry);
	}

	private void gauge(String name, ToDoubleFunction<ProjectorStatus> value) {
		Gauge
			.builder(ProjectorMeters.PREFIX + name, this.projectors,
					(registered) -> here().map(value::applyAsDouble).orElse(Double.NaN))
			.tags(this.tags)
			.register(this.registry);
	}

	private <T> void lag(String name, @Nullable String unit, Function<Behind, @Nullable T> part,
			ToDoubleFunction<T> value) {
		Gauge.builder(ProjectorMeters.PREFIX + name, this.projectors, (registered) -> {
			T known = beside().map(GenerationStatus::behind).map(part).orElse(null);
			return (known != null) ? value.applyAsDouble(known) : Double.NaN;
		}).tags(this.tags).baseUnit(unit).register(this.registry);
	}

	private Optional<Count> count(ToDoubleFunction<ProjectorCounts> value) {
		return beside().flatMap((generation) -> Optional.ofNullable(generation.here())
			.map((here) -> new Count(generation.generation(), value.applyAsDouble(here.counts()))));
	}

	private Optional<ProjectorStatus> here() {
		return beside().map(GenerationStatus::here);
	}

	/** The generation that has the role now. */
	private Optional<GenerationStatus> beside() {
		return this.projectors.generations()
			.stream()
			.filter((each) -> each.projector().equals(this.projector.base()) && this.role.has(each.status()))
			.findFirst();
	}

	/**
	 * What generations have counted one after the other. It never goes back: a registry
	 * that publishes differences would publish a negative one. Thread-safe.
	 */
	static final class Total {

		private double ended;

		private int generation;

		private double last;

		/**
		 * The count of all generations.
		 * @param present supplies that of the present one, if there is one
		 */
		synchronized double with(Supplier<Optional<Count>> present) {
			present.get().ifPresent(this::note);
			return this.ended + this.last;
		}

		private void note(Count now) {
			if (now.generation() != this.generation || now.value() < this.last) {
				this.ended += this.last;
			}
			this.generation = now.generation();
			this.last = now.value();
		}

	}

	/**
	 * What a generation has counted since this node feeds it.
	 *
	 * @param generation its number
	 * @param value the count
	 */
	record Count(int generation, double value) {
	}

	/** What a generation that is fed beside the live one is there for. */
	private enum Role {

		/** It was never live. */
		BUILDING,

		/** It was live, and is kept for a roll back. */
		STANDBY;

		boolean has(ProjectionGeneration.Status status) {
			return (this == STANDBY) ? status == ProjectionGeneration.Status.STANDBY
					: status == ProjectionGeneration.Status.BUILDING || status == ProjectionGeneration.Status.READY;
		}

	}

}
