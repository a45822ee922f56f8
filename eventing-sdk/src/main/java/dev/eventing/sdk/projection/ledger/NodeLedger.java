package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** What nodes report of their projectors, in {@code projector_nodes}. Thread-safe. */
public final class NodeLedger {

	private static final int LONGEST_DETAIL = 500;

	private final JdbcTemplate jdbc;

	private final String report;

	private final String sweep;

	private final String forget;

	private final EventingSchema schema;

	/** The declarations that are stored already. */
	private final Map<String, Map<Integer, List<Ownership>>> declared = new ConcurrentHashMap<>();

	/** Sends no query yet. */
	public NodeLedger(DataSource dataSource, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.schema = schema;
		String table = schema.table("projector_nodes");
		// By the primary key.
		this.report = """
				insert into %1$s as n (node, projector_name, version, scripted, state, detail, behind_events, behind_seconds)
				select ?, r.* from unnest(?, ?, ?, ?, ?, ?, ?) r order by 2
				on conflict (projector_name, node) do update
				   set version = excluded.version, scripted = excluded.scripted, state = excluded.state, detail = excluded.detail, behind_events = excluded.behind_events,
				       behind_seconds = excluded.behind_seconds, reported_at = excluded.reported_at"""
			.formatted(table);
		// Reads the table, which has few rows. Nodes do not wait for each other's rows. A
		// row from the future is of a server whose clock was ahead. The node deletes its
		// own rows that it did not report again: a generation is dropped.
		this.sweep = """
				delete from %1$s d
				 using (select projector_name, node from %1$s
				         where abs(extract(epoch from clock_timestamp() - reported_at)) > 60 and node <> ?
				            or node = ? and projector_name <> all(?)
				           for update skip locked) gone
				 where d.projector_name = gone.projector_name and d.node = gone.node""".formatted(table);
		this.forget = "delete from %s where node = ?".formatted(table);
	}

	/**
	 * Replaces what the node reported of these projectors, with one statement. The first
	 * time it also records which rows their versions declare.
	 */
	public void report(String node, List<NodeReport> reports) {
		reports.forEach(this::declare);
		this.jdbc.update((connection) -> {
			var statement = connection.prepareStatement(this.report);
			statement.setString(1, node);
			statement.setArray(2, connection.createArrayOf("text", values(reports, NodeReport::projector)));
			statement.setArray(3, connection.createArrayOf("int4", values(reports, NodeReport::version)));
			statement.setArray(4, connection.createArrayOf("bool", values(reports, NodeReport::scripted)));
			statement.setArray(5, connection.createArrayOf("text", values(reports, NodeReport::state)));
			statement.setArray(6, connection.createArrayOf("text", values(reports, NodeLedger::detail)));
			statement.setArray(7,
					connection.createArrayOf("bigint", values(reports, (report) -> report.behind().events())));
			statement.setArray(8, connection.createArrayOf("float8", values(reports, NodeLedger::seconds)));
			return statement;
		});
	}

	private void declare(NodeReport report) {
		if (!report.ownership().isEmpty() && !report.ownership().equals(this.declared.get(report.projector()))) {
			OwnershipLedger ledger = new OwnershipLedger(this.jdbc, this.schema, ProjectorId.of(report.projector()));
			report.ownership().forEach(ledger::declare);
			this.declared.put(report.projector(), report.ownership());
		}
	}

	/**
	 * Deletes what other nodes reported more than a minute ago, and what this node
	 * reported of other projectors than these, with one statement.
	 */
	public void sweep(String node, List<NodeReport> reports) {
		this.jdbc.update((connection) -> {
			var statement = connection.prepareStatement(this.sweep);
			statement.setString(1, node);
			statement.setString(2, node);
			statement.setArray(3, connection.createArrayOf("text", values(reports, NodeReport::projector)));
			return statement;
		});
	}

	private static @Nullable Object[] values(List<NodeReport> reports, Function<NodeReport, @Nullable Object> value) {
		return reports.stream().map(value).toArray();
	}

	/** The first line: a driver's further lines may quote rows. */
	private static @Nullable Object detail(NodeReport report) {
		return StorableText.ofNullable(report.detail().lines().findFirst().orElse(""), LONGEST_DETAIL);
	}

	private static @Nullable Object seconds(NodeReport report) {
		Duration time = report.behind().time();
		return (time != null) ? time.toMillis() / 1000.0 : null;
	}

	/** Deletes what the node reported. */
	public void forget(String node) {
		// Reads the table, which has few rows.
		this.jdbc.update(this.forget, node);
	}

}
