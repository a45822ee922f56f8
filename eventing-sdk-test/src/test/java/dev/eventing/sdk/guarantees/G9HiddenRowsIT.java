package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: rows of the SDK's tables that row level security hides from an application at work,
 * such as open dead letters, without which later events of their keys would run. What
 * becomes of hidden events is shown by {@link G9HiddenEventsIT}.
 */
class G9HiddenRowsIT {

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	private final LimitedRole role = new LimitedRole(this.world.world());

	@AfterEach
	void dropRole() {
		this.role.close();
	}

	@ParameterizedTest
	@CsvSource({ "dead_letters,EVENT_STORE", "processed_events,EVENT_STORE", "projector_checkpoints,EVENT_STORE",
			"dead_letters,JETSTREAM", "projector_positions,JETSTREAM" })
	void failAProjectorUntilAPolicyShowsThem(String table, Source source) {
		try (AnnotationConfigApplicationContext projector = startProjector(source)) {
			apply(source, 1);
			execute("alter table eventing." + table + " enable row level security");
			awaitFailed(projector, policy(table));
			execute(policy(table));
			await().until(() -> World.status(projector, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			apply(source, 2);
		}
	}

	@Test
	void failARelayUntilAPolicyShowsThem() {
		try (AnnotationConfigApplicationContext relay = this.world.world()
			.start(this.role.of(RelayWorld.application(this.world.options())))) {
			this.world.append(World.ACME, "account", 1);
			this.world.awaitDrained();
			execute("alter table eventing.relay_refusals enable row level security");
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.FAILED);
				assertThat(RelayWorld.status(relay).detail()).contains(policy("relay_refusals"));
			});
			execute(policy("relay_refusals"));
			this.world.append(World.ACME, "account", 1);
			this.world.awaitDrained();
		}
	}

	/** PostgreSQL keeps the plans of a session when a role gets BYPASSRLS. */
	@Test
	void failAProjectorUntilItsApplicationIsStartedAgainIfTheRoleGetsBypassrls() {
		try (AnnotationConfigApplicationContext projector = startProjector(Source.EVENT_STORE)) {
			apply(Source.EVENT_STORE, 1);
			execute("alter table eventing.dead_letters enable row level security");
			awaitFailed(projector, policy("dead_letters"));
			execute("alter role " + this.role.name() + " bypassrls");
			awaitFailed(projector, "Consider a restart of the application");
		}
		try (AnnotationConfigApplicationContext projector = startProjector(Source.EVENT_STORE)) {
			apply(Source.EVENT_STORE, 2);
			await().until(() -> World.status(projector, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	private AnnotationConfigApplicationContext startProjector(Source source) {
		return this.world.world()
			.start(this.role.of(WorldApplication.of(new Accounts())
				.lease(RelayWorld.LEASE)
				.with(ProjectorSettings.builder().source(source).build())
				.customize((context) -> context.registerBean(EventSubjects.class,
						() -> EventSubjects.of(this.world.world().subject())))));
	}

	private static void awaitFailed(AnnotationConfigApplicationContext projector, String why) {
		await().untilAsserted(() -> {
			assertThat(World.status(projector, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
			assertThat(World.status(projector, Accounts.PROJECTOR).detail()).contains(why);
		});
	}

	private void apply(Source source, long version) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "account", 1);
		}
		else {
			this.world.world().publish(World.ACME, "account", version, version);
		}
		await().until(() -> this.world.world().version(World.ACME, "account") == version);
		assertThat(this.world.world().count("select count(*) from violations")).isZero();
	}

	private String policy(String table) {
		return "create policy eventing_sees_all on \"eventing\".\"" + table + "\" to \"" + this.role.name()
				+ "\" using (true) with check (true)";
	}

	private void execute(String sql) {
		this.world.world().jdbc().execute(sql);
	}

}
