package dev.eventing.sdk.store;

import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Holes are final only if a role sees them that sees all rows. */
class HiddenEventsIT {

	/** Runs after which the driver keeps a plan of a statement in the session. */
	private static final int UNTIL_PREPARED = 10;

	private final String role = "app_" + UUID.randomUUID().toString().substring(0, 8);

	@AutoClose
	private final StoreWorld world = StoreWorld.create();

	private final HikariDataSource limited = new HikariDataSource();

	@BeforeEach
	void createRole() {
		execute("create role " + this.role);
		execute("grant usage on schema eventing to " + this.role);
		execute("grant select on all tables in schema eventing to " + this.role);
		execute("grant usage, select on all sequences in schema eventing to " + this.role);
		execute("create policy even on eventing.events using (stream_version % 2 = 0)");
		this.limited.setJdbcUrl(this.world.url());
		this.limited.setMaximumPoolSize(1);
		this.limited.setConnectionInitSql("set role " + this.role);
	}

	@AfterEach
	void dropRole() {
		this.limited.close();
		execute("drop owned by " + this.role);
		execute("drop role " + this.role);
	}

	@Test
	void stopAReaderWhoeverSwitchesRowSecurityOnBetweenTwoReads() {
		LogReader reader = reader();
		append(2);
		assertThat(versions(reader)).containsExactly(1L, 2L);
		execute("alter table eventing.events enable row level security");
		append(4);
		assertThatExceptionOfType(UnsafePositionsException.class).isThrownBy(() -> reader.next(10))
			.withMessageContaining(this.role);
		assertThat(reader.position()).isEqualTo(2);
		execute("alter table eventing.events disable row level security");
		assertThat(versions(reader)).containsExactly(3L, 4L, 5L, 6L);
	}

	/** Without an anchor there is no event that would be missed. */
	@Test
	void stopAReaderThatHasReturnedNoneYet() {
		execute("alter table eventing.events enable row level security");
		append(6);
		LogReader reader = reader();
		assertThatExceptionOfType(UnsafePositionsException.class).isThrownBy(() -> reader.next(10));
		execute("create policy all_rows on eventing.events to " + this.role + " using (true)");
		assertThat(versions(reader)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
	}

	/** PostgreSQL keeps the plans of a session when a role gets BYPASSRLS. */
	@Test
	void areReadOnceTheRoleHasBypassrlsThoughTheSessionHasPlansFromBefore() {
		execute("alter table eventing.events enable row level security");
		append(6);
		LogReader reader = reader();
		for (int i = 0; i < UNTIL_PREPARED; i++) {
			assertThatExceptionOfType(UnsafePositionsException.class).isThrownBy(() -> reader.next(10));
		}
		execute("alter role " + this.role + " bypassrls");
		assertThat(versions(reader)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
		append(1);
		assertThat(versions(reader)).containsExactly(7L);
	}

	@Test
	void stopAReaderWhoseRoleLosesBypassrls() {
		execute("alter role " + this.role + " bypassrls");
		execute("alter table eventing.events enable row level security");
		append(1);
		LogReader reader = reader();
		for (int i = 0; i < UNTIL_PREPARED; i++) {
			reader.next(10);
		}
		execute("alter role " + this.role + " nobypassrls");
		append(5);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> reader.next(10))
			.satisfiesAnyOf((ex) -> assertThat(ex).isInstanceOf(UnsafePositionsException.class),
					(ex) -> assertThat(ex).isInstanceOf(DataAccessException.class));
		assertThat(reader.position()).isEqualTo(1);
	}

	private LogReader reader() {
		return new EventLog(this.limited, StoreWorld.SCHEMA, EventJson.mapper()).reader(0);
	}

	private static List<Long> versions(LogReader reader) {
		return reader.next(10).stream().map(StoredEvent::version).toList();
	}

	private void append(int events) {
		for (int i = 0; i < events; i++) {
			this.world.append(ACME, "order-1", ExpectedVersion.any(), StoreSetup.placed(i));
		}
	}

	private void execute(String sql) {
		this.world.jdbc().execute(sql);
	}

}
