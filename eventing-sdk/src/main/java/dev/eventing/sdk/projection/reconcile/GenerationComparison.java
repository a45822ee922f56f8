package dev.eventing.sdk.projection.reconcile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import javax.sql.DataSource;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.GenerationDiff.TableDiff;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.ComparisonHold;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares the live generation of a read model with the one beside it, in one snapshot in
 * which both have settled exactly the same events. If they are not met like that, both
 * are held for a few seconds, so that they come to it. Thread-safe.
 */
public final class GenerationComparison {

	/** The name of the comparison among the results of checks. */
	public static final String NAME = "generation diff";

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final SeparateTransactions transactions;

	private final JdbcClient jdbc;

	private final Places places;

	private final CheckLedger ledger;

	private final Duration timeout;

	private final String beside;

	private final String ahead;

	private final StreamedGeneration streamed;

	private final ComparisonHold hold;

	/**
	 * Sends no query yet.
	 * @param dataSource finds the tables of the live generation with its search path
	 * @param timeout how long one statement may take
	 */
	public GenerationComparison(DataSource dataSource, EventingSchema schema, CheckLedger ledger, Duration timeout) {
		this.transactions = new SeparateTransactions(dataSource);
		this.jdbc = JdbcClient.create(this.transactions.dataSource());
		this.places = new Places(this.jdbc, schema);
		this.ledger = ledger;
		this.timeout = timeout;
		// By projections_beside.
		this.beside = """
				select p.generation, p.schema_name, p.tables,
				       (select max(l.position) from %s l
				         where l.projection_name = p.projection_name and l.generation = p.generation),
				       p.stream, case when p.status = 'PAST' then p.filled_to end
				  from %s p
				 where p.projection_name = ? and p.status in ('READY', 'STANDBY', 'PAST')"""
			.formatted(schema.table("projection_lanes"), schema.table("projections"));
		this.ahead = ahead(schema);
		this.streamed = new StreamedGeneration(this.jdbc, schema);
		this.hold = new ComparisonHold(this.jdbc, schema);
	}

	/**
	 * By primary keys: a few events after the position, applied by lanes or by the
	 * transactions that appended them. The look-ups are no joins; see ProcessedEvents.
	 */
	private static String ahead(EventingSchema schema) {
		return """
				select exists (select from %s e
				                where e.global_position > :position
				                  and ((select true from %s c
				                         where c.projector_name = :projector and c.event_id = e.event_id
				                           and c.tenant_id = e.tenant_id)
				                       or (select e.global_position > i.from_position
				                                  and (i.mode = 'INLINE' or e.global_position <= i.to_position)
				                             from %s i where i.projection_name = :projector)))"""
			.formatted(schema.table("events"), schema.table("processed_events"), schema.table("projection_inline"));
	}

	/**
	 * Compares, once both have settled the same events, and stores the result.
	 * @param patience how long to wait for that
	 * @param progress receives what is compared
	 * @throws DataAccessException if the result cannot be stored
	 */
	public GenerationDiff run(String projector, String actor, Duration patience, Consumer<String> progress) {
		long begun = System.nanoTime();
		Found found = compare(projector, begun + patience.toNanos(), progress);
		ReconciliationResult result = this.ledger.add(new ReconciliationCheck(NAME, projector, null),
				found.generation(), actor, Duration.ofNanos(System.nanoTime() - begun), found.answer(), found.error());
		return new GenerationDiff(result, found.tables());
	}

	private Found compare(String projector, long end, Consumer<String> progress) {
		try (Meeting meeting = new Meeting(this.hold, projector)) {
			Found found = tryToCompare(projector, progress);
			while (found.waits() && System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
				Meeting.Apart apart = found.apart();
				if (apart != null) {
					meeting.bring(apart);
				}
				LockSupport.parkNanos(PAUSE_NANOS);
				found = tryToCompare(projector, progress);
			}
			return found;
		}
	}

	private Found tryToCompare(String projector, Consumer<String> progress) {
		// Outlives the transaction: a result without an answer names the generation, too.
		AtomicReference<@Nullable Integer> beside = new AtomicReference<>();
		try {
			return this.transactions.readAtOnePoint(() -> compare(projector, beside, progress));
		}
		catch (NoAnswerException ex) {
			return Found.none(beside.get(), String.valueOf(ex.getMessage()), ex.isForNow());
		}
		catch (DataAccessException ex) {
			return Found.none(beside.get(), DatabaseFailure.describe(ex).lines().findFirst().orElse("A query failed"),
					false);
		}
	}

	private Found compare(String projector, AtomicReference<@Nullable Integer> beside, Consumer<String> progress) {
		this.jdbc.sql("select set_config('statement_timeout', ?, true)")
			.param(Long.toString(this.timeout.toMillis()))
			.query(String.class)
			.single();
		Beside other = beside(projector);
		beside.set(other.generation());
		requireFed(projector, other);
		ProjectorId id = ProjectorId.of(projector);
		long live = this.places.position(id);
		Found apart = apart(id, live, other);
		return (apart != null) ? apart : compare(other, live, progress);
	}

	private Beside beside(String projector) {
		return this.jdbc.sql(this.beside)
			.param(projector)
			.query((row, number) -> new Beside(row.getInt(1), row.getString(2),
					List.of((String[]) row.getArray(3).getArray()), row.getLong(4), row.getString(5),
					row.getObject(6, Long.class)))
			.optional()
			.orElseThrow(() -> new NoAnswerException("The read model of projector '" + projector
					+ "' has no generation beside the live one that is READY or STANDBY."));
	}

	private static void requireFed(String projector, Beside other) {
		if (other.past() != null) {
			throw new NoAnswerException("Generation " + other.generation() + " of projector '" + projector
					+ "' shows the read model as it was at position " + other.past()
					+ ", and the live one continues. Consider your own query over its tables in schema '"
					+ other.schema() + "'.");
		}
	}

	/**
	 * How the events differ that the generations have settled; null if they do not.
	 * Several lanes may have settled events beyond these positions.
	 * @param live the position of the live one in the event store
	 */
	private @Nullable Found apart(ProjectorId id, long live, Beside other) {
		ProjectorId name = id.ofGeneration(other.generation());
		long position = this.places.position(name);
		String stream = other.stream();
		if (stream != null) {
			return this.streamed.hasSettledTheSame(name, stream, position, live) ? null
					: Found.apart(other, "the live one stands at " + live + " in the event store, as is known a few"
							+ " seconds later. Consider a time at which no events are published.", null);
		}
		boolean same = live == position && other.furthest() <= position && !isAhead(id, live)
				&& !isAhead(name, position);
		return same ? null
				: Found.apart(other,
						"the live one stands at " + live + ", the other at " + position
								+ ". Consider a time at which fewer events are appended.",
						new Meeting.Apart(other.generation(), Math.min(live, position),
								Math.max(other.furthest(), Math.max(live, position))));
	}

	private boolean isAhead(ProjectorId id, long position) {
		return this.jdbc.sql(this.ahead)
			.param("position", position)
			.param("projector", id.inColumn())
			.query(Boolean.class)
			.single();
	}

	private Found compare(Beside other, long position, Consumer<String> progress) {
		List<TableDiff> tables = new ArrayList<>();
		List<String> sample = new ArrayList<>();
		for (String table : other.tables()) {
			progress.accept("comparing table '" + table + "' at position " + position);
			TableComparison comparison = new TableComparison(this.jdbc, table, other.schema());
			tables.add(comparison.compare(Comparison.SAMPLE - sample.size()));
			sample.addAll(comparison.sample());
		}
		long differences = tables.stream().mapToLong(TableDiff::differences).sum();
		return new Found(other.generation(), tables, new Answer(position, differences, sample), null, false, null);
	}

	/**
	 * The generation beside the live one.
	 *
	 * @param generation its number
	 * @param schema the schema of its tables
	 * @param tables their names
	 * @param furthest the position of the lane that is furthest
	 * @param stream the stream that it is fed from; null for the event store
	 * @param past the position at which it shows the read model; null if it is fed
	 */
	private record Beside(int generation, String schema, List<String> tables, long furthest, @Nullable String stream,
			@Nullable Long past) {
	}

	/**
	 * The result of a comparison.
	 *
	 * @param generation the generation beside the live one, if there is one
	 * @param tables what was compared
	 * @param answer the differences, or null
	 * @param error why there is no answer, or null
	 * @param waits whether only time is missing
	 * @param apart where they are, if they can be held; else null
	 */
	private record Found(@Nullable Integer generation, List<TableDiff> tables, @Nullable Answer answer,
			@Nullable String error, boolean waits, Meeting.@Nullable Apart apart) {

		static Found none(@Nullable Integer generation, String error, boolean waits) {
			return new Found(generation, List.of(), null, error, waits, null);
		}

		static Found apart(Beside other, String how, Meeting.@Nullable Apart where) {
			return new Found(other.generation(), List.of(), null,
					"The generations have not settled the same events: " + how, true, where);
		}

	}

}
