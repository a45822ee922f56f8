package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G9: while NATS is away at the start an application says so once, with the cause. */
@ExtendWith(OutputCaptureExtension.class)
class QuietOutageIT {

	@Test
	void saysOnceThatNatsIsAwayAtTheStartAndOnceThatItIsBack(CapturedOutput output) {
		try (World world = World.create(); FaultProxy proxy = FaultProxy.to(TestServers.nats().port())) {
			proxy.swallow();
			int before = output.getAll().length();
			RelayOptions relay = RelayOptions.named("accounts").withSubjects(world.root() + ".{tenant}.deposited");
			try (AnnotationConfigApplicationContext application = world.start(World.Application.of(new Accounts())
				.natsAt("nats://127.0.0.1:" + proxy.port())
				.customize((context) -> context.registerBean("relay", RelayOptions.class, () -> relay)))) {
				await().until(
						() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.WAITING_FOR_NATS);
				await().during(Duration.ofSeconds(3))
					.until(() -> World.status(application, Accounts.PROJECTOR)
						.state() == ProjectorState.WAITING_FOR_NATS);
				assertThat(warnings(output, before)).singleElement()
					.asString()
					.contains("NatsClient", "127.0.0.1:" + proxy.port(), "Exception: ");
				proxy.restore();
				world.publish(World.ACME, "a", 1, 1);
				await().until(() -> world.version(World.ACME, "a") == 1);
				assertThat(warnings(output, before)).hasSize(1);
				assertThat(output.getAll().substring(before)).containsOnlyOnce("' stands.");
			}
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
