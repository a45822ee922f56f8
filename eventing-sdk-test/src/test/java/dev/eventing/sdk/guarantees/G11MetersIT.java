package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.observability.ProjectorMetrics;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Pruner;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: meters tell the generation beside the live one by its role, and stay the same
 * meters over a switch.
 */
class G11MetersIT extends BesideSetup {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	@Test
	void areOfARoleAndNotOfAGeneration() {
		appendAll(1, 2);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			bind(application);
			int registered = this.meters.getMeters().size();
			awaitVersions(2);
			awaitRunning("live 1.0, building NaN, standby NaN");
			assertThat(processed("building")).isZero();
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			awaitRunning("live 1.0, building 1.0, standby NaN");
			await().until(() -> processed("building") == 2 * NAMES);
			await().until(
					() -> gauge("lag.events", "building").value() == 0 && gauge("lag.time", "building").value() == 0);
			switchTo(2);
			awaitRunning("live 1.0, building NaN, standby 1.0");
			appendAll(3, 3);
			await().until(() -> processed("standby") == NAMES);
			assertThat(processed("building")).isEqualTo(2 * NAMES);
			await().until(() -> processed("live") == 3 * NAMES);
			retire(1);
			awaitRunning("live 1.0, building NaN, standby NaN");
			assertThat(this.meters.getMeters()).hasSize(registered)
				.extracting(Meter::getId)
				.allSatisfy((id) -> assertThat(id.getTag("projector")).isEqualTo(Accounts.PROJECTOR));
		}
	}

	private void bind(AnnotationConfigApplicationContext application) {
		new ProjectorMetrics(application.getBean(ProjectorRegistry.class), application.getBean(ProjectorProgress.class),
				application.getBean(DeadLetters.class), application.getBean(Pruner.class))
			.bindTo(this.meters);
	}

	private void awaitRunning(String roles) {
		await().untilAsserted(() -> assertThat(
				"live " + running("live") + ", building " + running("building") + ", standby " + running("standby"))
			.isEqualTo(roles));
	}

	private double running(String role) {
		return gauge("running", role).value();
	}

	private Gauge gauge(String name, String role) {
		return this.meters.get("eventing.projector." + name)
			.tag("projector", Accounts.PROJECTOR)
			.tag("role", role)
			.gauge();
	}

	private double processed(String role) {
		return this.meters.get("eventing.projector.events")
			.tag("role", role)
			.tag("outcome", "processed")
			.functionCounter()
			.count();
	}

}
