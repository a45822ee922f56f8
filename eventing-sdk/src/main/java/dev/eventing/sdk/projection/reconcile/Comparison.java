package dev.eventing.sdk.projection.reconcile;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventRows;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares a read model with the events that its projector has applied, in one
 * transaction at repeatable read that only reads. Thread-safe.
 */
final class Comparison {

	/** How many differences a result has at most. */
	static final int SAMPLE = 10;

	private static final int LONGEST_VALUE = 200;

	/** How much later than the server this side ends a query. */
	static final Duration GRACE = Duration.ofSeconds(5);

	private final SeparateTransactions transactions;

	private final JdbcTemplate jdbc;

	private final JdbcClient client;

	private final Duration timeout;

	private final Places places;

	private final FoldComparison folds;

	private final String beside;

	/**
	 * Sends no query yet.
	 * @param timeout how long the query of a check may take
	 * @param rows reads events to be folded
	 */
	Comparison(DataSource dataSource, EventingSchema schema, Duration timeout, EventRows rows) {
		this.transactions = new SeparateTransactions(BoundedDataSource.of(dataSource, timeout.plus(GRACE)));
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.client = JdbcClient.create(this.jdbc);
		this.timeout = timeout;
		this.folds = new FoldComparison(this.jdbc, schema, rows, timeout, SAMPLE);
		this.places = new Places(this.client, schema);
		// A lane moves in the transaction that applies its events, and so do the claims
		// of a generation that is fed from a stream.
		this.beside = """
				select p.schema_name,
				       (select max(l.position) from %s l
				         where l.projection_name = p.projection_name and l.generation = p.generation), p.stream
				  from %s p
				 where p.projection_name = :projector and p.generation = :generation
				   and p.status = 'READY'""".formatted(schema.table("projection_lanes"), schema.table("projections"));
	}

	/**
	 * Runs the query of a check, or folds its events.
	 * @param bucket the number of the bucket whose keys the query selects
	 * @param generation the generation beside the live one that is meant; null for the
	 * live one
	 * @throws NoAnswerException if the projector is not in a state to be compared
	 * @throws org.springframework.dao.DataAccessException if the query fails or takes too
	 * long, or the database does not answer
	 */
	Answer answer(DeclaredCheck check, int bucket, @Nullable Integer generation) {
		return this.transactions.readAtOnePoint(() -> {
			this.client.sql("""
					select set_config('statement_timeout', ?, true), set_config('eventing.bucket', ?, true),
					       set_config('eventing.buckets', ?, true)""")
				.param(Long.toString(this.timeout.toMillis()))
				.param(Integer.toString(bucket))
				.param(Integer.toString(check.buckets()))
				.query((row, number) -> true)
				.single();
			String projector = check.check().projector();
			long position = (generation != null) ? meet(projector, generation) : this.places.position(projector);
			FoldedRow<?> folded = check.folded();
			return (folded != null) ? this.folds.compare(folded, check, bucket, position)
					: count(check.sql(), position);
		});
	}

	/**
	 * Lets the query meet the tables and the events of a generation beside the live one.
	 * @return its position: it has applied the events up to here, and none after it; if
	 * it is fed from a stream, the sequence up to which it has settled that, and it has
	 * applied what it has claimed
	 */
	private long meet(String projector, int generation) {
		Place found = this.client.sql(this.beside)
			.param("projector", projector)
			.param("generation", generation)
			.query((row, number) -> new Place(row.getString(1), row.getLong(2), row.getString(3)))
			.optional()
			.orElseThrow(() -> new NoAnswerException("Generation " + generation + " of projector '" + projector
					+ "' is not ready beside the live one."));
		ProjectorId id = ProjectorId.of(projector).ofGeneration(generation);
		long position = this.places.position(id);
		String stream = found.stream();
		if (stream != null) {
			this.places.requireRelayed(id, stream);
		}
		else if (found.furthest() > position) {
			throw NoAnswerException.forNow("Generation " + generation + " of projector '" + projector
					+ "' is not at rest: a lane is ahead of its checkpoint.");
		}
		this.client.sql("""
				select set_config('search_path', quote_ident(?) || ', ' || current_setting('search_path'), true),
				       set_config('eventing.generation', ?, true)""")
			.param(found.schema())
			.param(id.inColumn())
			.query((row, number) -> true)
			.single();
		return position;
	}

	/**
	 * Counts the differences, and takes the first ones with each value cut. The query may
	 * end with a comment, so a line ends after it.
	 */
	private Answer count(String sql, long position) {
		String query = "with eventing_difference as materialized (\n" + sql + "\n)"
				+ """

						select (select count(*) from eventing_difference),
						       array(select (select jsonb_object_agg(cell.key, case when length(cell.value::text) > %2$s
						                              then to_jsonb(left(cell.value #>> '{}', %2$s) || '\u2026') else cell.value end)
						                       from jsonb_each(to_jsonb(eventing_row)) cell)::text
						               from (select * from eventing_difference limit %1$s) eventing_row)"""
					.formatted(SAMPLE, LONGEST_VALUE);
		Answer answer = this.jdbc.query(query, (row) -> {
			row.next();
			return new Answer(position, row.getLong(1), List.of((String[]) row.getArray(2).getArray()));
		});
		if (answer == null) {
			throw new NoAnswerException("The query returned nothing.");
		}
		return answer;
	}

	/**
	 * Where a generation beside the live one is.
	 *
	 * @param schema the schema of its tables
	 * @param furthest the position of the lane that is furthest
	 * @param stream the stream that it is fed from; null for the event store
	 */
	private record Place(String schema, long furthest, @Nullable String stream) {
	}

}
