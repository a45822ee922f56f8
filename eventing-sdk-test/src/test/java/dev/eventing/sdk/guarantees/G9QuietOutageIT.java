package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G9: while NATS or PostgreSQL is away an application says so, with the cause. */
@ExtendWith(OutputCaptureExtension.class)
class G9QuietOutageIT {

	@Test
	void saysOnceThatNatsIsAwayAtTheStartAndOnceThatItIsBack(CapturedOutput output) {
		try (World world = World.create(); FaultProxy proxy = FaultProxy.to(TestServers.nats().port())) {
			proxy.swallow();
			int before = output.getAll().length();
			RelayOptions relay = RelayOptions.named("accounts").withSubjects(world.root() + ".{tenant}.deposited");
			try (AnnotationConfigApplicationContext application = world.start(WorldApplication.of(new Accounts())
				.natsAt("nats://127.0.0.1:" + proxy.port())
				.customize((context) -> context.registerBean("relay", RelayOptions.class, () -> relay)))) {
				await().until(
						() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.WAITING_FOR_NATS);
				Steady.holds(Duration.ofSeconds(3),
						() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.WAITING_FOR_NATS);
				await().untilAsserted(() -> assertThat(warnings(output, before)).singleElement()
					.asString()
					.contains("NatsClient", "127.0.0.1:" + proxy.port(), "Exception: "));
				proxy.restore();
				world.publish(World.ACME, "a", 1, 1);
				await().until(() -> world.version(World.ACME, "a") == 1);
				assertThat(warnings(output, before)).hasSize(1);
				await().untilAsserted(
						() -> assertThat(output.getAll().substring(before)).containsOnlyOnce("' is established."));
			}
		}
	}

	/** It breaks connections in the midst of what they do. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	@Tag("crash")
	void namesTheCauseInEachWarningAndReportsNoErrorWhilePostgresIsAway(Source source, CapturedOutput output) {
		try (PostgresServer postgres = PostgresServer.start();
				World world = World.on(TestServers.nats(), postgres);
				AnnotationConfigApplicationContext application = world.start(WorldApplication.of(new Accounts())
					.with(ProjectorSettings.builder().source(source).build())
					.lease(Duration.ofSeconds(1)));
				Load load = (source == Source.EVENT_STORE) ? Load.ofAppends(world, 10, Duration.ofMillis(5))
						: Load.of(world, 10, Duration.ofMillis(5))) {
			load.awaitApplied(5);
			int before = output.getAll().length();
			postgres.kill();
			await().until(
					() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.WAITING_FOR_DATABASE);
			Steady.holds(Duration.ofSeconds(3),
					() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.WAITING_FOR_DATABASE);
			postgres.restart();
			load.awaitApplied(5);
			load.stopAndAwaitAll();
			List<String> warnings = warnings(output, before);
			assertThat(warnings).noneMatch((line) -> line.contains(" ERROR ") || line.contains(": null"));
			// of the event store, it may also find that what it had handed out was lost
			assertThat(warnings)
				.filteredOn((line) -> line.contains("Projector 'accounts' waits")
						|| line.contains("[projector/accounts] are not renewed"))
				.anyMatch((line) -> line.contains("Leases [projector/accounts] are not renewed: "))
				.anyMatch((line) -> line.contains("Projector 'accounts' waits"))
				.allMatch((line) -> line.contains("Exception: "));
		}
	}

	private static List<String> warnings(CapturedOutput output, int from) {
		return output.getAll()
			.substring(from)
			.lines()
			.filter((line) -> line.contains(" WARN ") || line.contains(" ERROR "))
			.filter((line) -> line.contains("dev.eventing") || line.contains("d.e."))
			.toList();
	}

}
