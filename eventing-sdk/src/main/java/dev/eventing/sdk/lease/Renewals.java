package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BrokenTransactions.Session;
import dev.eventing.sdk.jdbc.OwnConnection;
import dev.eventing.sdk.schema.EventingSchema;

/**
 * The owner's statements on its rows of {@code leases}. They run on a separate
 * connection, so neither an exhausted pool nor a waiting statement can delay a renewal. A
 * connection that does not answer within half the lease duration is replaced.
 * Thread-safe.
 */
final class Renewals {

	private final OwnConnection connection;

	private final LeaseOptions options;

	private final String table;

	/** The tables on which transactions that may have to be ended hold locks, as SQL. */
	private final String locked;

	/**
	 * @param shared the tables on which transactions without a lease hold locks
	 */
	Renewals(DataSource dataSource, EventingSchema schema, LeaseOptions options, List<String> shared) {
		this.connection = new OwnConnection(dataSource, Duration.ofNanos(options.duration().toNanos() / 2),
				"eventing-leases");
		this.options = options;
		this.table = schema.table("leases");
		this.locked = Stream.concat(Stream.of(schema.table("lease_epochs")), shared.stream())
			.map("'%s'::regclass"::formatted)
			.collect(Collectors.joining(", "));
	}

	/**
	 * Renews the leases, also expired ones, unless another node has taken them over.
	 * @return the tokens of the renewed leases; rows that another transaction has locked
	 * are skipped
	 */
	Set<UUID> renew(Collection<Lease> leases) {
		// By the primary key, a few rows. A node that takes over a lease locks its row
		// while it waits for the former owner's transactions. The other rows must not
		// wait for that.
		return this.connection.execute("renew leases", """
				update %1$s l set expires_at = clock_timestamp() + ? * interval '1 millisecond'
				  from (select lease_name from %1$s where lease_name = any(?) and token = any(?)
				           for update skip locked) mine
				 where l.lease_name = mine.lease_name
				returning l.token""".formatted(this.table), (statement) -> {
			statement.setLong(1, this.options.duration().toMillis());
			setNames(statement, 2, leases);
			setTokens(statement, 3, leases);
			return tokens(statement);
		});
	}

	/** The committed tokens of these leases. By the primary key. */
	Set<UUID> present(Collection<Lease> leases) {
		return this.connection.execute("look at leases",
				"select token from %s where lease_name = any(?)".formatted(this.table), (statement) -> {
					setNames(statement, 1, leases);
					return tokens(statement);
				});
	}

	/**
	 * Lets other nodes acquire the leases immediately. Changes the token, so that a
	 * concurrent renewal finds no row. By the primary key.
	 */
	void release(Collection<Lease> leases) {
		this.connection.execute("release leases", """
				update %s set expires_at = '-infinity', token = gen_random_uuid()
				 where lease_name = any(?) and token = any(?)
				""".formatted(this.table), (statement) -> {
			setNames(statement, 1, leases);
			setTokens(statement, 2, leases);
			return statement.executeUpdate();
		});
	}

	/**
	 * Terminates sessions of this role that hold locks on the table of epochs, as all
	 * transactions under a lease do, or on those of work that nodes share. A later
	 * session with the same process id is spared: it began after the broken transaction.
	 * @return the number of terminated sessions
	 */
	int end(Collection<Session> sessions) {
		// Reads no table, only the server's memory, for a few process ids.
		return this.connection.execute("end transactions without a connection", """
				select count(pg_terminate_backend(a.pid))
				  from unnest(?::int[], ?::bigint[]) as broken (pid, millis)
				  join pg_stat_activity a on a.pid = broken.pid and a.usename = current_user
				       and clock_timestamp() - a.backend_start >= broken.millis * interval '1 millisecond'
				 where exists (select from pg_locks l where l.pid = a.pid and l.granted
				                  and l.locktype = 'relation' and l.relation in (%s))
				""".formatted(this.locked), (statement) -> {
			long now = System.nanoTime();
			Connection sql = statement.getConnection();
			statement.setArray(1, sql.createArrayOf("int", sessions.stream().map(Session::pid).toArray()));
			statement.setArray(2,
					sql.createArrayOf("bigint",
							sessions.stream()
								.map((session) -> TimeUnit.NANOSECONDS.toMillis(now - session.since()))
								.toArray()));
			try (ResultSet row = statement.executeQuery()) {
				return row.next() ? row.getInt(1) : 0;
			}
		});
	}

	private static void setNames(PreparedStatement statement, int index, Collection<Lease> leases) throws SQLException {
		statement.setArray(index,
				statement.getConnection().createArrayOf("text", leases.stream().map(Lease::name).toArray()));
	}

	private static void setTokens(PreparedStatement statement, int index, Collection<Lease> leases)
			throws SQLException {
		statement.setArray(index, statement.getConnection()
			.createArrayOf("uuid", leases.stream().map((lease) -> lease.grant().token()).toArray()));
	}

	private static Set<UUID> tokens(PreparedStatement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery()) {
			Set<UUID> tokens = new HashSet<>();
			while (row.next()) {
				tokens.add(row.getObject(1, UUID.class));
			}
			return tokens;
		}
	}

	/** Closes the connection while there is nothing to renew. */
	void rest() {
		this.connection.close();
	}

}
