package dev.eventing.sdk.observability;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Meters of each check of an application, with the tags {@code check} and
 * {@code projector}. They show the last run, whichever node made it, as of some seconds
 * ago. Without a run they are not a number (NaN).
 *
 * <table>
 * <caption>Meters</caption>
 * <tr>
 * <td>{@code eventing.reconciliation.differences}</td>
 * <td>the differences that the last run found; NaN if it had no answer</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.reconciliation.unanswered}</td>
 * <td>1 if the last run had no answer, else 0</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.reconciliation.age}</td>
 * <td>seconds since the last run</td>
 * </tr>
 * </table>
 *
 * <p>
 * Results are queried in the background, at most every ten seconds and only while the
 * meters are read.
 */
public final class ReconciliationMetrics implements MeterBinder, Watched, ApplicationListener<ContextRefreshedEvent> {

	private static final String PREFIX = "eventing.reconciliation.";

	private final Reconciliations reconciliations;

	private final Samples<Optional<ReconciliationResult>> results;

	private final List<MeterRegistry> bound = new CopyOnWriteArrayList<>();

	public ReconciliationMetrics(Reconciliations reconciliations) {
		this.reconciliations = reconciliations;
		this.results = new Samples<>("last result of check", reconciliations::last);
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.results.stalls(longest);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(registry);
		bindAll(registry);
	}

	/** Checks may be known only now. Existing meters do not change. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.bound.forEach(this::bindAll);
	}

	private void bindAll(MeterRegistry registry) {
		this.reconciliations.checks()
			.stream()
			.filter((check) -> registry.find(PREFIX + "age").tag("check", check.name()).gauge() == null)
			.forEach((check) -> bind(registry, check));
	}

	private void bind(MeterRegistry registry, ReconciliationCheck check) {
		gauge(registry, check, "differences", null, "Differences that the last run of the check found", (result) -> {
			Answer answer = result.answer();
			return (answer != null) ? answer.differences() : Double.NaN;
		});
		gauge(registry, check, "unanswered", null, "1 if the last run of the check had no answer, else 0",
				(result) -> (result.answer() == null) ? 1 : 0);
		gauge(registry, check, "age", "seconds", "Since the last run of the check",
				(result) -> Duration.between(result.run().at(), Instant.now()).toMillis() / 1000.0);
	}

	private void gauge(MeterRegistry registry, ReconciliationCheck check, String name, @Nullable String unit,
			String description, ToDoubleFunction<ReconciliationResult> value) {
		Gauge.builder(PREFIX + name, this.results, (all) -> {
			Optional<ReconciliationResult> last = all.last(check.name());
			return (last != null && last.isPresent()) ? value.applyAsDouble(last.get()) : Double.NaN;
		})
			.tags(Tags.of("check", check.name(), "projector", check.projector()))
			.baseUnit(unit)
			.description(description)
			.strongReference(true) // the meter may outlive what has bound it
			.register(registry);
	}

}
