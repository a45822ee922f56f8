package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: what lasts until somebody changes the database shows as what it is, in its words,
 * also if it begins as something else. It is tried again all the same.
 */
@ExtendWith(OutputCaptureExtension.class)
class LastingFailuresIT {

	private static final String UNUSABLE = "The SDK's tables cannot be used: ERROR: ";

	@AutoClose
	private final World world = World.create();

	/** Claims fail: what does it, what undoes it, and what shows. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			alter table eventing.processed_events add column added int default 1; \
			alter table eventing.processed_events alter added set not null, alter added drop default | \
			alter table eventing.processed_events drop added | \
			null value in column "added" of relation "processed_events" violates not-null constraint
			alter table eventing.processed_events add constraint refused check (event_id is null) not valid | \
			alter table eventing.processed_events drop constraint refused | \
			new row for relation "processed_events" violates check constraint "refused"
			create function refuse() returns trigger language plpgsql as \
			'begin raise exception ''writes are stopped''; end'; create trigger refuse before insert on \
			eventing.processed_events for each row execute function refuse() | \
			drop trigger refuse on eventing.processed_events | writes are stopped
			""")
	void failWithTheWordsOfTheDatabaseUntilSomebodyMendsIt(String broken, String mended, String words) {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute(broken);
			this.world.publish(World.ACME, "a", 2, 3);
			await().untilAsserted(() -> shows(application, ProjectorState.FAILED, UNUSABLE + words));
			assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
			assertThat(StruckThreads.health(application).getDetails().toString()).contains(words);
			this.world.jdbc().execute(mended);
			goesOn(application, 3);
		}
	}

	/** A wait for a lock, and then the table is gone. */
	@Test
	void showAlsoIfTheyBeginAsAnOutage(CapturedOutput output) throws SQLException {
		this.world.setDefault("lock_timeout", "300ms");
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()));
				HikariDataSource other = World.dataSource(this.world.jdbcUrl());
				Connection session = other.getConnection();
				Statement statement = session.createStatement()) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			session.setAutoCommit(false);
			statement.execute("lock table eventing.processed_events");
			this.world.publish(World.ACME, "a", 2, 2);
			await().untilAsserted(() -> shows(application, ProjectorState.WAITING_FOR_DATABASE,
					"canceling statement due to lock timeout"));
			statement.execute("alter table eventing.processed_events rename to gone");
			session.commit();
			String gone = UNUSABLE + "relation \"eventing.processed_events\" does not exist";
			await().untilAsserted(() -> shows(application, ProjectorState.FAILED, gone));
			assertThat(output.getOut())
				.containsOnlyOnce("Projector 'accounts' waits for its database: PSQLException: ERROR: canceling")
				.contains("Projector 'accounts' cannot go on: " + gone);
			statement.execute("alter table eventing.gone rename to processed_events");
			session.commit();
			goesOn(application, 2);
		}
	}

	/** As after a change of the password. */
	@Test
	void nameALoginThatIsRefused() {
		String role = "login_" + this.world.root();
		this.world.jdbc().execute("create role " + role + " login superuser");
		String url = this.world.jdbcUrl().replace("user=postgres", "user=" + role);
		try (AnnotationConfigApplicationContext application = World.start(this.world.natsUrl(), url, this.world.root(),
				WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jdbc().execute("alter role " + role + " nologin");
			this.world.jdbc()
				.queryForList("select pg_terminate_backend(pid) from pg_stat_activity where usename = ?", role);
			this.world.publish(World.ACME, "a", 2, 2);
			await().untilAsserted(() -> shows(application, ProjectorState.FAILED,
					"The database refuses connections: FATAL: role \"" + role + "\" is not permitted to log in"));
			this.world.jdbc().execute("alter role " + role + " login");
			goesOn(application, 2);
		}
		finally {
			this.world.jdbc().execute("drop owned by " + role + "; drop role " + role);
		}
	}

	private static void shows(AnnotationConfigApplicationContext application, ProjectorState state, String detail) {
		ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
		assertThat(status.detail()).contains(detail);
		assertThat(status.state()).isEqualTo(state);
	}

	private void goesOn(AnnotationConfigApplicationContext application, long version) {
		await().until(() -> this.world.version(World.ACME, "a") == version);
		await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

}
