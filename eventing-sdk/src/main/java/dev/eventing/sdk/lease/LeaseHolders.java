package dev.eventing.sdk.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Optional;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads the owners of leases, for callers that do not acquire them. Queries on the
 * caller's thread, and in the caller's transaction if there is one. Thread-safe.
 */
public final class LeaseHolders {

	private final JdbcClient jdbc;

	private final String table;

	/** Does not access the database yet. */
	public LeaseHolders(DataSource dataSource, EventingSchema schema) {
		this.jdbc = JdbcClient.create(dataSource);
		this.table = schema.table("leases");
	}

	/**
	 * The current or last owner of the lease; empty if it never had an owner.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Optional<LeaseHolder> holder(String name) {
		// By the primary key.
		return this.jdbc.sql("""
				select owner, epoch, acquired_at, expires_at from %s where lease_name = ? and epoch > 0
				""".formatted(this.table)).param(name).query(LeaseHolders::row).optional();
	}

	/**
	 * The owner of that one of these leases which expires last, if it has not expired.
	 * Empty if all of them are free or expired, for example shortly after their owners
	 * crashed.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Optional<LeaseHolder> current(Collection<String> names) {
		// By the primary key, a row for each name.
		return this.jdbc.sql("""
				select owner, epoch, acquired_at, expires_at from %s
				 where lease_name in (:names) and epoch > 0 and expires_at > clock_timestamp()
				 order by expires_at desc limit 1
				""".formatted(this.table)).param("names", names).query(LeaseHolders::row).optional();
	}

	private static LeaseHolder row(ResultSet row, int number) throws SQLException {
		return new LeaseHolder(row.getString(1), row.getLong(2), row.getObject(3, OffsetDateTime.class).toInstant(),
				row.getObject(4, OffsetDateTime.class).toInstant());
	}

}
