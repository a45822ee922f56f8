package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What operators want to be checked once, in {@code projection_check_requests}. A request
 * is one row for each check. It stays open until a result is stored, so a node that dies
 * loses none. Statements never run in the caller's transaction. Thread-safe.
 */
public final class CheckRequests {

	/** The name in a row that means all checks of the projector. */
	private static final String ALL = "";

	private final SeparateTransactions transactions;

	private final JdbcClient jdbc;

	private final String table;

	private final String results;

	private final String projections;

	private final ProjectionAudit audit;

	/** Sends no query yet. */
	public CheckRequests(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(dataSource);
		this.jdbc = JdbcClient.create(this.transactions.dataSource());
		this.table = schema.table("projection_check_requests");
		this.results = schema.table("projection_checks");
		this.projections = schema.table("projections");
		this.audit = new ProjectionAudit(this.jdbc, schema);
	}

	/** As for the live generation, without a reason. */
	public UUID add(String projector, @Nullable String check, String actor, Duration patience) {
		return add(projector, null, check, actor, null, patience);
	}

	/**
	 * Requests that a check runs, and forgets requests that expired more than a day ago.
	 * The audit of the projector has the request.
	 * @param generation the generation beside the live one that is checked; null for the
	 * live one
	 * @param check the check's name; null for all checks of the projector
	 * @param reason why, for the audit; null if none is given
	 * @param patience how long the request waits for a node
	 * @return the request's id
	 * @throws RequestRefusedException if the generation is not ready beside the live one
	 */
	public UUID add(String projector, @Nullable Integer generation, @Nullable String check, String actor,
			@Nullable String reason, Duration patience) {
		OperatorText.require("actor", actor);
		OperatorText.requirePatience(patience);
		UUID id = UUID.randomUUID();
		return this.transactions.write(() -> {
			if (generation != null) {
				requireReady(projector, generation);
			}
			this.jdbc
				.sql("delete from %s where expires_at < clock_timestamp() - interval '1 day'".formatted(this.table))
				.update();
			insert(id, new Wanted(projector, generation, (check != null) ? check : ALL), StorableText.of(actor),
					patience);
			this.audit.add(projector, generation, actor, ProjectionAction.CHECK_REQUESTED, reason,
					(check != null) ? "Check '" + check + "'" : "All checks");
			return id;
		});
	}

	private void insert(UUID id, Wanted wanted, String actor, Duration patience) {
		this.jdbc.sql("""
				insert into %s (request_id, check_name, projector_name, generation, actor, expires_at)
				values (:id, :check, :projector, cast(:generation as integer), :actor,
				        clock_timestamp() + :patience * interval '1 millisecond')""".formatted(this.table))
			.param("id", id)
			.param("check", wanted.check())
			.param("projector", wanted.projector())
			.param("generation", wanted.generation())
			.param("actor", actor)
			.param("patience", patience.toMillis())
			.update();
	}

	/** By the primary key. */
	private void requireReady(String projector, int generation) {
		boolean ready = this.jdbc
			.sql("select exists (select from %s where projection_name = ? and generation = ? and status = 'READY')"
				.formatted(this.projections))
			.param(projector)
			.param(generation)
			.query(Boolean.class)
			.single();
		if (!ready) {
			throw new RequestRefusedException(
					"Generation " + generation + " of '" + projector + "' is not READY beside the live one.");
		}
	}

	/** The rows of a request, by the names of the checks. By the primary key. */
	public List<Requested> rows(UUID id) {
		return select("request_id = ? order by check_name", id);
	}

	/**
	 * The requests of some projectors that wait for a node, the oldest first. By
	 * {@code projection_check_requests_open}.
	 */
	public List<Requested> open(Collection<String> projectors) {
		return select("""
				projector_name = any(?) and check_id is null and expires_at > clock_timestamp()
				 order by requested_at, request_id, check_name""", (Object) projectors.toArray(String[]::new));
	}

	private List<Requested> select(String which, Object value) {
		return this.jdbc.sql("""
				select request_id, check_name, projector_name, generation, actor, expires_at,
				       expires_at <= clock_timestamp(), taken_at is not null, check_id is not null
				  from %s where %s""".formatted(this.table, which)).param(value).query(CheckRequests::requested).list();
	}

	/**
	 * Puts a row for each of these checks in the place of one for all checks. Two nodes
	 * that do so at the same time leave the rows of one of them.
	 */
	public void expand(Requested all, Collection<String> checks) {
		this.transactions.write(() -> this.jdbc.sql("""
				with gone as (
				  delete from %1$s where request_id = :id and check_name = ''
				  returning request_id, projector_name, generation, actor, requested_at, expires_at)
				insert into %1$s (request_id, check_name, projector_name, generation, actor, requested_at, expires_at,
				                  taken_at)
				select request_id, name, projector_name, generation, actor, requested_at, expires_at, clock_timestamp()
				  from gone cross join unnest(:checks::text[]) name""".formatted(this.table))
			.param("id", all.id())
			.param("checks", checks.toArray(String[]::new))
			.update());
	}

	/** Records that a node has the check, and is going to run it. */
	public void take(Requested requested) {
		this.transactions.write(() -> this.jdbc.sql("""
				update %s set taken_at = clock_timestamp()
				 where request_id = ? and check_name = ? and taken_at is null""".formatted(this.table))
			.param(requested.id())
			.param(requested.check())
			.update());
	}

	/** Whether a row still waits for a node. By the primary key. */
	public boolean isOpen(Requested requested) {
		return rows(requested.id()).stream()
			.anyMatch((each) -> each.check().equals(requested.check()) && !each.isAnswered() && !each.isExpired());
	}

	/**
	 * Records that the last result of the check is the answer. Call it after a run whose
	 * result is stored. By the primary keys, and {@code projection_checks_name}.
	 */
	public void answer(Requested requested) {
		this.transactions.write(
				() -> this.jdbc
					.sql("""
							update %1$s r
							   set check_id = (select max(c.check_id) from %2$s c
							                    where c.projector_name = r.projector_name and c.check_name = r.check_name
							                   and c.generation is not distinct from r.generation)
							 where r.request_id = ? and r.check_name = ? and r.check_id is null"""
						.formatted(this.table, this.results))
					.param(requested.id())
					.param(requested.check())
					.update());
	}

	private static Requested requested(ResultSet row, int number) throws SQLException {
		return new Requested(row.getObject(1, UUID.class), row.getString(2), row.getString(3),
				row.getObject(4, Integer.class), row.getString(5), row.getObject(6, OffsetDateTime.class).toInstant(),
				row.getBoolean(7), row.getBoolean(8), row.getBoolean(9));
	}

	/**
	 * The checks that are requested.
	 *
	 * @param projector the projector's name
	 * @param generation the generation beside the live one; null for the live one
	 * @param check the check's name; empty for all checks of the projector
	 */
	private record Wanted(String projector, @Nullable Integer generation, String check) {
	}

	/**
	 * A row of a request.
	 *
	 * @param id the request's id
	 * @param check the check's name; empty if all checks of the projector are meant
	 * @param projector the projector's name
	 * @param generation the generation beside the live one that is checked; null for the
	 * live one
	 * @param actor who requested it
	 * @param expiresAt until when a node may begin
	 * @param isExpired whether that time is over, by the database's clock
	 * @param isTaken whether a node has met it that has the check
	 * @param isAnswered whether a result is stored
	 */
	public record Requested(UUID id, String check, String projector, @Nullable Integer generation, String actor,
			Instant expiresAt, boolean isExpired, boolean isTaken, boolean isAnswered) {

		/** Whether all checks of the projector are meant. */
		public boolean isAll() {
			return this.check.isEmpty();
		}

	}

}
