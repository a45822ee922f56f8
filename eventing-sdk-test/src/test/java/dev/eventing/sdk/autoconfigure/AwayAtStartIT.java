package dev.eventing.sdk.autoconfigure;

import java.time.Duration;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** PostgreSQL is away when an application with Flyway and Hibernate starts. */
@ExtendWith(OutputCaptureExtension.class)
class AwayAtStartIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String database = this.fixture.emptyDatabase();

	@AutoClose
	private final FaultProxy proxy = FaultProxy.to(TestServers.postgres().port());

	@Test
	void theStartFailsSoonAndTheNextOneWorks(CapturedOutput output) {
		this.proxy.cut();
		Stopwatch.time(() -> assertThatException().isThrownBy(this::run)).assertWithin(Duration.ofSeconds(30));
		// Flyway connects first, so the error is its own
		assertThat(output).contains("Unable to obtain connection from database", "SQL State  : 08001");
		this.proxy.restore();
		try (ConfigurableApplicationContext application = run()) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			await().until(() -> projectors.status("users").state() == ProjectorState.RUNNING);
		}
	}

	private ConfigurableApplicationContext run() {
		return UsersApplication.run("root=" + this.root,
				"spring.datasource.url=" + this.database.replaceFirst(":[0-9]+/", ":" + this.proxy.port() + "/"),
				"spring.datasource.hikari.connection-timeout=1000", "spring.flyway.connect-retries=0",
				"eventing.nats.servers=" + TestServers.nats().url(), "eventing.schema.mode=migrate",
				"eventing.streams." + this.root + ".subjects=" + this.root + ".>");
	}

}
