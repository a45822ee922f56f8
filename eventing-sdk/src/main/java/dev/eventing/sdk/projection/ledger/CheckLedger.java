package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ReconciliationResult.Run;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The results of checks, in {@code projection_checks}. Statements never run in the
 * caller's transaction. All use {@code projection_checks_name}. Thread-safe.
 */
public final class CheckLedger {

	private static final int KEPT = 100;

	private static final String COLUMNS = """
			check_name, projector_name, at, duration_ms, actor, position, differences,
			array(select each.value::text from jsonb_array_elements(sample) with ordinality each (value, number)
			       order by each.number), error, generation""";

	private final SeparateTransactions transactions;

	private final JdbcClient jdbc;

	private final String table;

	private final String requests;

	private final String projections;

	private final ProjectionAudit audit;

	/** Sends no query yet. */
	public CheckLedger(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(dataSource);
		this.jdbc = JdbcClient.create(this.transactions.dataSource());
		this.table = schema.table("projection_checks");
		this.projections = schema.table("projections");
		this.requests = schema.table("projection_check_requests");
		this.audit = new ProjectionAudit(this.jdbc, schema);
	}

	/**
	 * Stores what a run found, and deletes the oldest results of the check.
	 * @param generation the generation beside the live one that it ran on; null for the
	 * live one
	 * @param answer the differences, or null if there is no answer
	 * @param error why there is none, or null
	 */
	public ReconciliationResult add(ReconciliationCheck check, @Nullable Integer generation, String actor,
			Duration duration, @Nullable Answer answer, @Nullable String error) {
		String by = StorableText.of(actor);
		String why = StorableText.ofNullable(error);
		Instant at = this.transactions.write(() -> {
			OffsetDateTime stored = this.jdbc
				.sql("""
						insert into %s (check_name, projector_name, duration_ms, actor, generation, position, differences,
						                sample, error)
						values (:check, :projector, :duration, :actor, cast(:generation as integer), cast(:position as bigint),
						        cast(:differences as bigint), cast(:sample as jsonb), cast(:error as text))
						returning at"""
					.formatted(this.table))
				.param("check", check.name())
				.param("projector", check.projector())
				.param("duration", duration.toMillis())
				.param("actor", by)
				.param("generation", generation)
				.param("position", (answer != null) ? answer.position() : null)
				.param("differences", (answer != null) ? answer.differences() : null)
				.param("sample", (answer != null) ? "[" + String.join(",", answer.sample()) + "]" : null)
				.param("error", why)
				.query(OffsetDateTime.class)
				.single();
			prune(check);
			return stored.toInstant();
		});
		return new ReconciliationResult(check.name(), check.projector(), new Run(at, duration, by, generation), answer,
				why);
	}

	/**
	 * Adds a check that an operator has run at once to the audit of the projector.
	 * @param result the result of the check
	 * @param reason why; null if none is given
	 */
	public void audit(ReconciliationResult result, @Nullable String reason) {
		this.transactions.write(() -> {
			this.audit.add(result.projector(), result.run().generation(), result.run().actor(),
					ProjectionAction.CHECK_REQUESTED, reason, "Check '" + result.check() + "'");
			return true;
		});
	}

	private void prune(ReconciliationCheck check) {
		this.jdbc.sql("""
				delete from %1$s
				 where projector_name = :projector and check_name = :check
				   and check_id <= (select check_id from %1$s
				                     where projector_name = :projector and check_name = :check
				                     order by check_id desc offset :kept limit 1)""".formatted(this.table))
			.param("projector", check.projector())
			.param("check", check.name())
			.param("kept", KEPT)
			.update();
	}

	/** The results of all checks of a projector, the newest first. */
	public List<ReconciliationResult> results(String projector) {
		return this.jdbc
			.sql("select %s from %s where projector_name = ? order by check_id desc".formatted(COLUMNS, this.table))
			.param(projector)
			.query(CheckLedger::result)
			.list();
	}

	/**
	 * The last result of each check of a projector, by the names of the checks: of the
	 * live generation, and of the one beside it that is not retired.
	 */
	public List<ReconciliationResult> lastOfEach(String projector) {
		return this.jdbc
			.sql("""
					select distinct on (check_name, generation) %s from %s
					 where projector_name = :projector
					   and (generation is null
					        or generation in (select p.generation from %s p
					                           where p.projection_name = :projector
					                             and p.status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED')))
					 order by check_name, generation nulls first, check_id desc"""
				.formatted(COLUMNS, this.table, this.projections))
			.param("projector", projector)
			.query(CheckLedger::result)
			.list();
	}

	/** The results of a request, by the names of the checks. By the primary keys. */
	public List<ReconciliationResult> answers(UUID request) {
		return this.jdbc
			.sql("""
					select %s from %s
					 where check_id in (select check_id from %s where request_id = ?) order by check_name"""
				.formatted(COLUMNS, this.table, this.requests))
			.param(request)
			.query(CheckLedger::result)
			.list();
	}

	/** The last result of a check on the live generation; empty if there is none. */
	public Optional<ReconciliationResult> last(ReconciliationCheck check) {
		return this.jdbc.sql("""
				select %s from %s
				 where projector_name = ? and check_name = ? and generation is null
				 order by check_id desc limit 1""".formatted(COLUMNS, this.table))
			.param(check.projector())
			.param(check.name())
			.query(CheckLedger::result)
			.optional();
	}

	/**
	 * The time since a check last ran on the live generation, by the database's clock;
	 * empty if it never did.
	 */
	public Optional<Duration> sinceLast(ReconciliationCheck check) {
		return this.jdbc.sql("""
				select extract(epoch from clock_timestamp() - at)::double precision from %s
				 where projector_name = ? and check_name = ? and generation is null
				 order by check_id desc limit 1""".formatted(this.table))
			.param(check.projector())
			.param(check.name())
			.query(Double.class)
			.optional()
			.map((seconds) -> Duration.ofMillis(Math.round(seconds * 1000)));
	}

	private static ReconciliationResult result(ResultSet row, int number) throws SQLException {
		Long differences = row.getObject(7, Long.class);
		Answer answer = (differences != null)
				? new Answer(row.getLong(6), differences, List.of((String[]) row.getArray(8).getArray())) : null;
		return new ReconciliationResult(
				row.getString(1), row.getString(2), new Run(row.getObject(3, OffsetDateTime.class).toInstant(),
						Duration.ofMillis(row.getLong(4)), row.getString(5), row.getObject(10, Integer.class)),
				answer, row.getString(9));
	}

}
