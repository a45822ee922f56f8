package dev.eventing.sdk.projection.ledger;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What versions of a projector declare of the rows of their tables, in
 * {@code projection_ownership}: programs without the application's code erase by it.
 * Every statement runs in the caller's transaction, or alone. Thread-safe.
 */
public final class OwnershipLedger {

	private final JdbcClient jdbc;

	private final String table;

	private final String projector;

	/** Sends no query yet. */
	public OwnershipLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = JdbcClient.create(jdbc);
		this.table = schema.table("projection_ownership");
		this.projector = projector.base();
	}

	/** Records what a version declares, unless that is recorded. By the primary key. */
	public void declare(int version, Collection<Ownership> declared) {
		List<Ownership> sorted = declared.stream().sorted(Comparator.comparing(Ownership::table)).toList();
		if (find(version).equals(sorted)) {
			return;
		}
		this.jdbc.sql("delete from %s where projection_name = ? and version = ?".formatted(this.table))
			.param(this.projector)
			.param(version)
			.update();
		sorted.forEach((each) -> this.jdbc.sql("""
				insert into %s (projection_name, version, table_name, tenant_column, stream_column, stream_prefix)
				values (?, ?, ?, ?, ?, ?) on conflict do nothing""".formatted(this.table))
			.params(this.projector, version, each.table(), each.tenantColumn(), each.streamColumn(),
					each.streamPrefix())
			.update());
	}

	private List<Ownership> find(int version) {
		return this.jdbc.sql("""
				select table_name, tenant_column, stream_column, stream_prefix from %s
				 where projection_name = ? and version = ? order by table_name collate "C\"""".formatted(this.table))
			.param(this.projector)
			.param(version)
			.query((row, number) -> new Ownership(row.getString(1), row.getString(2), row.getString(3),
					row.getString(4)))
			.list();
	}

}
