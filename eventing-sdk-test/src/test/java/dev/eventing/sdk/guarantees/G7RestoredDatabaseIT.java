package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: a database that was restored to an earlier point than the streams is not published
 * from, until an operator has allowed it.
 */
class G7RestoredDatabaseIT {

	@TempDir
	Path copies;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final PostgresServer postgres = this.fixture.opened(PostgresServer.start());

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(TestServers.nats(), this.postgres));

	private Path data;

	@Test
	void refusesToPublishFromADatabaseThatDrewFewerPositions() {
		publish(20);
		backUp();
		publish(20);
		restore();
		try (var relay = this.world.start(this.world.options())) {
			awaitRefused(relay, "the stream holds position 40");
			assertThat(RelayWorld.status(relay).detail()).contains("up to 20 only")
				.contains("acceptRestore(\"accounts\")");
			assertThat(this.world.stored()).hasSize(40);
			assertThat(relay.getBean(Relays.class).acceptRestore(RelayWorld.RELAY)).isEqualTo(40);
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			appendAnew(5);
			this.world.awaitDrained();
			assertThat(this.world.stored()).hasSize(45);
			assertThat(this.world.stored().get(40).position()).isEqualTo(41);
		}
		try (var relay = this.world.start(this.world.options())) {
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
		}
	}

	@Test
	void refusesWhenOtherEventsHaveTheSamePositions() {
		publish(20);
		backUp();
		publish(20);
		restore();
		appendAnew(30);
		try (var relay = this.world.start(this.world.options())) {
			awaitRefused(relay, "position 21 is event");
			assertThat(this.world.stored()).hasSize(40);
			relay.getBean(Relays.class).acceptRestore(RelayWorld.RELAY);
			this.world.awaitDrained();
			assertThat(this.world.stored()).hasSize(70);
		}
	}

	private void backUp() {
		this.data = Path
			.of(Objects.requireNonNull(this.world.world().jdbc().queryForObject("show data_directory", String.class)));
		assumeThat(this.data).as("the server's files are within reach").isDirectory();
		this.postgres.stop();
		run("cp", "-a", this.data.toString(), this.copies.resolve("data").toString());
		this.postgres.restart();
		awaitDatabase();
	}

	private void restore() {
		this.postgres.stop();
		run("rm", "-r", this.data.toString());
		run("cp", "-a", this.copies.resolve("data").toString(), this.data.toString());
		this.postgres.restart();
		awaitDatabase();
	}

	/** With owners and permissions, which the server insists on. */
	private static void run(String... command) {
		try {
			assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The first connections after a restart may be of the time before it. */
	private void awaitDatabase() {
		for (int connection = 0; connection < 10; connection++) {
			await().ignoreExceptions().until(() -> this.world.world().count("select 1") == 1);
			await().ignoreExceptions().until(() -> this.world.store().version(World.ACME, "account") >= 0);
		}
	}

	private void publish(int events) {
		this.world.append(World.ACME, "account", events);
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
		}
	}

	private void appendAnew(int events) {
		this.world.append(World.ACME, "another", events);
	}

	private static void awaitRefused(AnnotationConfigApplicationContext relay, String why) {
		await().untilAsserted(() -> {
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.REFUSED);
			assertThat(RelayWorld.status(relay).detail()).contains(why);
		});
	}

}
