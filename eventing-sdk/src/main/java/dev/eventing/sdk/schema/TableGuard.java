package dev.eventing.sdk.schema;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks while the application runs what a start checks too, and what no statement would
 * fail on: that no sequence of the SDK is behind its column, and that row level security
 * hides no row of the SDK's tables from the role of the DataSource. Ask it before work
 * begins, and after each interruption, because the database may be another one then.
 * Thread-safe.
 */
public final class TableGuard {

	/**
	 * How long an answer holds while nothing is interrupted, for {@link #requireLately}.
	 */
	private static final Duration LATELY = Duration.ofSeconds(5);

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final Sequences sequences;

	/** Whether rows were hidden while the application ran. */
	private volatile boolean hasMetHidden;

	/** By {@link System#nanoTime}, when the last check began that found no problem. */
	private volatile long safeAt = System.nanoTime() - LATELY.toNanos();

	/** Does not access the database yet. */
	public TableGuard(DataSource dataSource, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(Objects.requireNonNull(dataSource, "dataSource"));
		this.schema = Objects.requireNonNull(schema, "schema");
		this.sequences = new Sequences(this.jdbc, schema);
	}

	/**
	 * Asks the database, in three statements.
	 * @throws UnsafeTablesException with all problems, and the statements that mend them
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public void require() {
		long now = System.nanoTime();
		List<String> problems = new ArrayList<>(hiddenRows());
		problems.addAll(this.sequences.problems());
		if (!problems.isEmpty()) {
			throw UnsafeTablesException.of(this.schema, problems);
		}
		this.safeAt = now;
	}

	/**
	 * As {@link #require}, unless the last check of this guard was less than five seconds
	 * ago and found no problem.
	 */
	public void requireLately() {
		if (System.nanoTime() - this.safeAt >= LATELY.toNanos()) {
			require();
		}
	}

	private List<String> hiddenRows() {
		List<RowSecurity.Secured> secured = RowSecurity.secured(this.jdbc, this.schema);
		List<String> problems = RowSecurity.problems(secured, this.schema);
		if (!problems.isEmpty()) {
			this.hasMetHidden = true;
			return problems;
		}
		return this.hasMetHidden ? RowSecurity.oldPlans(secured, this.schema) : problems;
	}

}
