package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: events that row level security hides are no holes. A reader of the event store
 * stops before them, says which statement shows them, and continues by itself after it.
 */
class G9HiddenEventsIT {

	private static final String HIDE = """
			alter table eventing.events enable row level security;
			create policy even on eventing.events using (stream_version % 2 = 0) with check (true)""";

	private final String role = "reader_" + UUID.randomUUID().toString().substring(0, 8);

	@AutoClose
	private final RelayWorld relays = RelayWorld.create();

	private final World world = this.relays.world();

	@BeforeEach
	void createRole() {
		this.world.jdbc()
			.execute("create role %1$s; grant all on schema public, eventing to %1$s; ".formatted(this.role)
					+ "grant all on all tables in schema public, eventing to %1$s; ".formatted(this.role)
					+ "grant all on all sequences in schema public, eventing to " + this.role);
	}

	@AfterEach
	void dropRole() {
		this.world.jdbc().execute("drop owned by " + this.role + "; drop role " + this.role);
	}

	@Test
	void noProjectorPassesOverThem() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(asRole(WorldApplication.of(new Accounts())
				.with(ProjectorSettings.builder().source(Source.EVENT_STORE).build())))) {
			this.world.append(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute(HIDE);
			this.world.append(World.ACME, "a", 2, 6);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("create policy eventing_sees_all on \"eventing\".\"events\" to \"" + this.role + "\"");
			});
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
			this.world.jdbc()
				.execute("create policy eventing_sees_all on \"eventing\".\"events\" to \"" + this.role
						+ "\" using (true) with check (true)");
			await().until(() -> this.world.version(World.ACME, "a") == 6);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	@Test
	void noRelayPassesOverThem() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(asRole(RelayWorld.application(this.relays.options())))) {
			this.world.append(World.ACME, "a", 1, 1);
			await().until(() -> this.relays.stored().size() == 1);
			this.world.jdbc().execute(HIDE);
			this.world.append(World.ACME, "a", 2, 6);
			await().until(() -> RelayWorld.status(application).state() == RelayState.FAILED);
			await().until(() -> RelayWorld.status(application).detail().contains("bypassrls"));
			assertThat(this.relays.stored()).hasSize(1);
			this.world.jdbc().execute("alter role " + this.role + " bypassrls");
			await().untilAsserted(() -> assertThat(this.relays.stored()).extracting(Stored::version)
				.containsExactly(1L, 2L, 3L, 4L, 5L, 6L));
		}
	}

	private WorldApplication asRole(WorldApplication application) {
		return application
			.customize(WorldApplication.pool((pool) -> pool.setConnectionInitSql("set role " + this.role)));
	}

}
