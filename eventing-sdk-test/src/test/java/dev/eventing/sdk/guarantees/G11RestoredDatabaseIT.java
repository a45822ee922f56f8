package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: a database that is set back to before a switch, while its nodes run on and nothing
 * else has changed since, is fed by the version that it names, and by no other.
 */
@Tag("crash")
class G11RestoredDatabaseIT {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@TempDir
	Path copies;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final PostgresServer postgres = this.fixture.opened(PostgresServer.start());

	private final World world = this.fixture.opened(World.on(TestServers.nats(), this.postgres));

	private final Generations generations = new Generations(this.world, "fees");

	private Path data;

	@BeforeEach
	void createTable() {
		this.world.jdbc()
			.execute("create table fees (account text primary key, deposits bigint not null, fee bigint not null)");
	}

	@Test
	void feedsTheGenerationThatIsLiveAgainWithItsOwnVersion() {
		this.world.append(World.ACME, "a", 1, 5);
		try (AnnotationConfigApplicationContext former = start(new G11VersionsIT.First())) {
			await().atMost(PATIENCE).until(() -> deposits("public") == 5);
		}
		try (AnnotationConfigApplicationContext both = start(new G11VersionsIT.First(), new G11VersionsIT.Second())) {
			await().atMost(PATIENCE).until(() -> both.isActive() && this.generations.all().size() == 1);
			this.generations.build();
			await().atMost(PATIENCE).until(() -> deposits("fees_g2") == 5);
			backUp();
			Instant before = World.status(both, "fees").since();
			this.generations.switchTo(2);
			assertThat(fees("public")).isEqualTo(10);
			await().atMost(PATIENCE).until(() -> runsSince(World.status(both, "fees"), before));
			restore();
			assertThat(this.generations.live()).isEqualTo(1);
			this.world.append(World.ACME, "a", 6, 9);
			await().atMost(PATIENCE).until(() -> deposits("public") == 9 && deposits("fees_g2") == 9);
			assertThat(fees("public")).isZero();
			assertThat(fees("fees_g2")).isEqualTo(18);
			this.generations.switchTo(2);
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/** The nodes keep their leases over the restarts of the database. */
	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions).lease(Duration.ofSeconds(8)));
	}

	/** With what the switch has made live. */
	private static boolean runsSince(ProjectorStatus status, Instant before) {
		return status.state() == ProjectorState.RUNNING && status.since().isAfter(before);
	}

	private long deposits(String schema) {
		return sum(schema, "deposits");
	}

	private long fees(String schema) {
		return sum(schema, "fee");
	}

	private long sum(String schema, String column) {
		return this.world.count("select coalesce(sum(" + column + "), 0)::bigint from " + schema + ".fees");
	}

	private void backUp() {
		this.data = Path
			.of(Objects.requireNonNull(this.world.jdbc().queryForObject("show data_directory", String.class)));
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
			await().ignoreExceptions().until(() -> this.world.count("select 1") == 1);
			await().ignoreExceptions().until(() -> this.world.inTransaction((store) -> true));
		}
	}

}
