package dev.eventing.sdk.guarantees;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** The database is well, but the SDK's tables cannot be used as they must be. */
class UnusableTablesIT {

	@AutoClose
	private final World world = World.create();

	/** A connection with autocommit off looks like one in a transaction. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void refusesATransactionManagerOfAnotherDataSource(boolean autoCommit) {
		try (HikariDataSource other = World.dataSource(this.world.jdbcUrl())) {
			WorldApplication application = WorldApplication.of(new Accounts())
				.customize((context) -> context.registerBean("platformTransactionManager",
						PlatformTransactionManager.class, () -> new JdbcTransactionManager(other)))
				.customize(WorldApplication.pool((pool) -> pool.setAutoCommit(autoCommit)));
			assertThatException().isThrownBy(() -> this.world.start(application))
				.havingRootCause()
				.withMessageContaining("begins no transactions of the DataSource with the SDK's tables")
				.withMessageContaining(Accounts.PROJECTOR);
		}
	}

	@Test
	void takesTheRightOneWhereThePoolDisablesAutocommit() {
		Accounts accounts = new Accounts();
		WorldApplication application = WorldApplication.of(accounts)
			.customize(WorldApplication.pool((pool) -> pool.setAutoCommit(false)));
		try (AnnotationConfigApplicationContext started = this.world.start(application)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(World.status(started, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "alter table eventing.processed_events rename to gone",
			"alter table eventing.processed_events rename column content_digest to gone" })
	void failsWithTheWordsOfTheDatabaseAndGoesOnOnceItIsMended(String statement) {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute(statement);
			this.world.publish(World.ACME, "a", 2, 3);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("The SDK's tables cannot be used: ERROR: ")
					.contains("does not exist");
			});
			this.world.jdbc()
				.execute(statement.contains("column")
						? "alter table eventing.processed_events rename column gone to content_digest"
						: "alter table eventing.gone rename to processed_events");
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
		assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L);
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** As an operator forgets it for a role of the application's own. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void failsForARightThatItsRoleLacksAndGoesOnOnceItHasIt(Source source) {
		Accounts accounts = new Accounts();
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = this.world.start(role
					.of(WorldApplication.of(accounts).with(ProjectorSettings.builder().source(source).build())))) {
			String claims = "insert on eventing.processed_events";
			publish(source, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute("revoke " + claims + " from " + role.name());
			publish(source, 2);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("The SDK's tables cannot be used: ERROR: permission denied for table processed_events");
			});
			this.world.jdbc().execute("grant " + claims + " to " + role.name());
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** At the end of the transaction of an event: its handler has run. */
	@Test
	void failsForARightThatTheEndOfATransactionNeeds() {
		Accounts accounts = new Accounts();
		ProjectorSettings oneAttempt = ProjectorSettings.builder().source(Source.EVENT_STORE).maxDeliver(1).build();
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = this.world
					.start(role.of(WorldApplication.of(accounts).with(oneAttempt)))) {
			publish(Source.EVENT_STORE, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute("revoke insert on eventing.projector_checkpoints from " + role.name());
			publish(Source.EVENT_STORE, 2);
			awaitFailed(application, Accounts.PROJECTOR, "permission denied for table projector_checkpoints");
			this.world.jdbc().execute("grant insert on eventing.projector_checkpoints to " + role.name());
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** The event waits for its attempt or letter. */
	@ParameterizedTest
	@ValueSource(strings = { "projector_attempts", "dead_letters" })
	void failsForARightThatAFailureNeeds(String table) {
		Accounts accounts = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = this.world.start(role
					.of(WorldApplication.of(accounts).with(ProjectorSettings.builder().maxDeliver(1).build())))) {
			this.world.jdbc().execute("revoke insert on eventing." + table + " from " + role.name());
			publish(Source.JETSTREAM, 1);
			awaitFailed(application, Accounts.PROJECTOR, "permission denied for table " + table);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			this.world.jdbc().execute("grant insert on eventing." + table + " to " + role.name());
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	/** The SDK's own handler writes them. */
	@Test
	void failsALiveViewForTheRightToItsStates() {
		Transfers transfers = new Transfers();
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = this.world.start(role
					.of(WorldApplication.of(transfers).with(ProjectorSettings.builder().maxDeliver(1).build())))) {
			this.world.jdbc().execute("revoke insert on eventing.projection_snapshots from " + role.name());
			this.world.publish(Event.builder(World.ACME, new Transferred("a", "b", 1)).build());
			awaitFailed(application, Transfers.NAME, "permission denied for table projection_snapshots");
			this.world.jdbc().execute("grant insert on eventing.projection_snapshots to " + role.name());
			LiveViews views = application.getBean(LiveViews.class);
			await().until(() -> views.read(World.ACME, Transfers.NAME, "b").isPresent());
		}
		assertThat(this.world.deadLetters(Transfers.NAME)).isEmpty();
	}

	private static void awaitFailed(AnnotationConfigApplicationContext application, String projector, String words) {
		await().untilAsserted(() -> {
			assertThat(World.status(application, projector).detail())
				.contains("The SDK's tables cannot be used: ERROR: " + words);
			assertThat(World.status(application, projector).state()).isEqualTo(ProjectorState.FAILED);
		});
	}

	/** The relay's own rows. */
	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			"revoke insert on eventing.relay_positions from %s; grant insert on eventing.relay_positions to %s;"
					+ " permission denied for table relay_positions",
			"alter table eventing.relay_positions rename to gone; alter table eventing.gone rename to relay_positions;"
					+ " does not exist" })
	void failsARelayWithTheWordsOfTheDatabaseToo(String statement, String mended, String words) {
		Accounts accounts = new Accounts();
		RelayWorld relays = new RelayWorld(this.world);
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = this.world.start(role.of(WorldApplication.of(accounts)
					.customize((context) -> context.registerBean(RelayOptions.class, relays::options))))) {
			relays.append(World.ACME, "a", 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute(statement.formatted(role.name()));
			relays.append(World.ACME, "a", 1);
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.FAILED);
				assertThat(RelayWorld.status(application).detail()).contains("The SDK's tables cannot be used: ERROR: ")
					.contains(words);
			});
			this.world.jdbc().execute(mended.formatted(role.name()));
			relays.append(World.ACME, "a", 1);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L);
		}
	}

	private void publish(Source source, long version) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a", version, version);
		}
		else {
			this.world.publish(World.ACME, "a", version, version);
		}
	}

}
