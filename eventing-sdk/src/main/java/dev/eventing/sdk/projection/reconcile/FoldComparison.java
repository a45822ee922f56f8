package dev.eventing.sdk.projection.reconcile;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventRows;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Compares rows with folds of the events that a projector has applied, in the transaction
 * of the caller. The events come through a cursor. Thread-safe.
 */
final class FoldComparison {

	/** The number of streams that are compared at once. */
	private static final int PAGE = 200;

	private static final int FETCH = 500;

	private static final String FUNCTION = "applied_events";

	private final JdbcTemplate jdbc;

	private final JdbcTemplate cursor;

	private final EventRows rows;

	private final Duration timeout;

	private final int most;

	private final String applied;

	/**
	 * Sends no query yet.
	 * @param jdbc runs statements in the transaction of the caller
	 * @param timeout how long a comparison may take
	 * @param most how many differences an answer names at most
	 */
	FoldComparison(JdbcTemplate jdbc, EventingSchema schema, EventRows rows, Duration timeout, int most) {
		this.jdbc = jdbc;
		this.cursor = new JdbcTemplate(Objects.requireNonNull(jdbc.getDataSource()));
		this.cursor.setFetchSize(FETCH);
		this.rows = rows;
		this.timeout = timeout;
		this.most = most;
		this.applied = schema.table(FUNCTION) + "(?)";
	}

	/**
	 * Compares the streams of a bucket.
	 * @param position of the projector, for the answer
	 * @throws NoAnswerException if an event cannot be folded, or it takes too long
	 */
	Answer compare(FoldedRow<?> folded, DeclaredCheck check, int bucket, long position) {
		return new Run<>(folded, check, bucket).answer(position);
	}

	private static String quoted(String column) {
		return '"' + column.replace("\"", "\"\"") + '"';
	}

	private static String literal(String text) {
		return "'" + text.replace("'", "''") + "'";
	}

	/** One comparison. For one thread. */
	private final class Run<S> {

		private final FoldedRow<S> folded;

		private final String projector;

		private final String division;

		private final String stream;

		private final @Nullable String tenant;

		private final long end = System.nanoTime() + FoldComparison.this.timeout.toNanos();

		private final List<Map<String, @Nullable Object>> expected = new ArrayList<>();

		private final List<String> sample = new ArrayList<>();

		private long differences;

		private @Nullable Folding<S> current;

		Run(FoldedRow<S> folded, DeclaredCheck check, int bucket) {
			this.folded = folded;
			this.projector = check.check().projector();
			this.division = "(hashtext(%s) & 2147483647) % " + check.buckets() + " = " + bucket;
			this.stream = quoted(folded.streamColumn());
			String column = folded.tenantColumn();
			this.tenant = (column != null) ? quoted(column) : null;
		}

		Answer answer(long position) {
			FoldComparison.this.cursor.query(
					"select %s from %s where event_type = any(?) and %s order by tenant_id, stream_id, stream_version"
						.formatted(FoldComparison.this.rows.columns(), FoldComparison.this.applied,
								divided("stream_id")),
					this::take, this.projector, types());
			finish();
			compareExpected();
			findUnexplained();
			return new Answer(position, this.differences, this.sample);
		}

		private SqlArrayValue types() {
			return new SqlArrayValue("text", this.folded.types().toArray());
		}

		private String divided(String column) {
			return this.division.replace("%s", column);
		}

		private void take(ResultSet row) throws SQLException {
			if (System.nanoTime() - this.end > 0) {
				throw new NoAnswerException(
						"The fold took longer than " + FoldComparison.this.timeout + ". Consider more buckets.");
			}
			Event<UnboundPayload> event = event(row);
			String id = Objects.requireNonNull(event.streamId());
			Folding<S> found = this.current;
			if (found == null || !found.stream().equals(id) || !found.tenant().equals(event.tenantId().value())) {
				finish();
				found = new Folding<>(event.tenantId().value(), id, this.folded.fold().initial());
			}
			S before = found.state();
			S after = folding(id, () -> this.folded.fold().evolve().apply(before, event));
			this.current = new Folding<>(found.tenant(), id, after);
		}

		private Event<UnboundPayload> event(ResultSet row) throws SQLException {
			try {
				return FoldComparison.this.rows.read(row).event();
			}
			catch (UnreadableEventException ex) {
				throw new NoAnswerException("An event cannot be read: " + ex.getMessage());
			}
		}

		private <T> T folding(String id, Supplier<T> work) {
			try {
				return work.get();
			}
			catch (RuntimeException ex) { // thrown by the application
				// its text may quote the event, and the answer is kept
				throw new NoAnswerException("Stream '" + id + "' cannot be folded: " + ex.getClass().getName());
			}
		}

		/** A stream has ended. */
		private void finish() {
			Folding<S> found = this.current;
			this.current = null;
			if (found == null) {
				return;
			}
			Map<String, ? extends @Nullable Object> columns = folding(found.stream(),
					() -> this.folded.columns().apply(found.state()));
			Map<String, @Nullable Object> row = new LinkedHashMap<>(columns);
			row.put(this.folded.streamColumn(), found.stream());
			String column = this.folded.tenantColumn();
			if (column != null) {
				row.put(column, found.tenant());
			}
			if (!this.expected.isEmpty() && !this.expected.get(0).keySet().equals(row.keySet())) {
				compareExpected(); // rows with other columns, or streams without a row
			}
			this.expected.add(row);
			if (this.expected.size() >= PAGE) {
				compareExpected();
			}
		}

		private void compareExpected() {
			if (this.expected.isEmpty()) {
				return;
			}
			List<String> names = this.expected.get(0)
				.keySet()
				.stream()
				.filter((name) -> !name.equals(this.folded.streamColumn()) && !name.equals(this.folded.tenantColumn()))
				.toList();
			String join = (names.isEmpty() ? "join " : "left join ") + this.folded.table() + " t on t." + this.stream
					+ " = e." + this.stream;
			join += (this.tenant != null) ? " and t." + this.tenant + " = e." + this.tenant : "";
			String different = names.isEmpty() ? "true" : "t." + this.stream + " is null or row(" + list("t.", names)
					+ ") is distinct from row(" + list("e.", names) + ")";
			String found = names.isEmpty() ? "'not expected'"
					: "case when t." + this.stream + " is null then 'missing' else 'different' end";
			String json = folding(String.valueOf(this.expected.get(0).get(this.folded.streamColumn())),
					() -> FoldComparison.this.rows.mapper().writeValueAsString(this.expected));
			add("select " + difference("e.", found, names) + " from jsonb_populate_recordset(null::"
					+ this.folded.table() + ", cast(? as jsonb)) e " + join + " where " + different, json);
			this.expected.clear();
		}

		/** Rows whose streams have none of the events. */
		private void findUnexplained() {
			// PostgreSQL prints a uuid in small letters, in whichever it was written
			String same = "case when pg_typeof(t." + this.stream + ") = 'uuid'::regtype then lower(a.stream_id)"
					+ " else a.stream_id end = t." + this.stream + "::text"
					+ ((this.tenant != null) ? " and a.tenant_id = t." + this.tenant + "::text" : "");
			add("select " + difference("t.", "'not expected'", List.of()) + " from " + this.folded.table() + " t where "
					+ divided("t." + this.stream + "::text") + " and not exists (select from "
					+ FoldComparison.this.applied + " a where a.event_type = any(?) and " + same + ")", this.projector,
					types());
		}

		/**
		 * A difference as JSON: tenant and key of the row, and the columns that differ.
		 */
		private String difference(String from, String found, List<String> names) {
			// By tenant_id the rows of one tenant are found for who may see no others.
			String of = (this.tenant != null) ? ", 'tenant_id', " + from + this.tenant : "";
			String key = literal(this.folded.streamColumn()) + ", left(" + from + this.stream + "::text, 200)";
			StringBuilder columns = new StringBuilder("array_remove(array[null::text");
			names.forEach((name) -> columns.append(", case when t.")
				.append(this.stream)
				.append(" is not null and t.")
				.append(quoted(name))
				.append(" is distinct from e.")
				.append(quoted(name))
				.append(" then ")
				.append(literal(name))
				.append(" end"));
			return "jsonb_build_object('table', " + literal(this.folded.table()) + of + ", 'key', jsonb_build_object("
					+ key + "), 'found', " + found + ", 'columns', " + columns + "], null))::text";
		}

		private String list(String from, List<String> names) {
			return String.join(", ", names.stream().map((name) -> from + quoted(name)).toList());
		}

		/**
		 * Counts the differences that a query returns, and takes the first ones.
		 * @throws org.springframework.dao.DataAccessException if it fails, such as for a
		 * value of the wrong type
		 */
		private void add(String query, Object... parameters) {
			String counted = "with difference (text) as materialized (" + query
					+ ") select (select count(*) from difference), array(select text from difference limit "
					+ (FoldComparison.this.most - this.sample.size()) + ")";
			FoldComparison.this.jdbc.query(counted, (row) -> {
				this.differences += row.getLong(1);
				this.sample.addAll(List.of((String[]) row.getArray(2).getArray()));
			}, parameters);
		}

	}

	/**
	 * A stream that is being folded.
	 *
	 * @param tenant its tenant
	 * @param stream its id
	 * @param state its state so far
	 */
	private record Folding<S>(String tenant, String stream, S state) {
	}

}
