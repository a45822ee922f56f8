package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** The streams that need a snapshot of a version of a fold. Only reads. Thread-safe. */
final class StaleSnapshots {

	private final JdbcTemplate jdbc;

	private final String snapshots;

	private final String streams;

	StaleSnapshots(DataSource dataSource, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.snapshots = schema.table("snapshots");
		this.streams = schema.table("streams");
	}

	/** How many streams need one. */
	long count(Fold<?> fold, SnapshotRebuildOptions options) {
		List<Object> values = new ArrayList<>();
		String due = due(fold, options, values);
		return Objects.requireNonNull(
				this.jdbc.queryForObject("select count(*) from (" + due + ") due", Long.class, values.toArray()));
	}

	/**
	 * Returns the next streams that need one, in the order of tenants and ids.
	 * @param after the last one of the page before; null for the first page
	 */
	List<Stream> page(Fold<?> fold, SnapshotRebuildOptions options, @Nullable Stream after, int limit) {
		List<Object> values = new ArrayList<>();
		String sql = "select tenant_id, stream_id from (" + due(fold, options, values) + ") due";
		if (after != null) {
			sql += " where (tenant_id, stream_id) > (?, ?)";
			values.add(after.tenantId().value());
			values.add(after.streamId());
		}
		values.add(limit);
		return this.jdbc.query(sql + " order by tenant_id, stream_id limit ?",
				(row, number) -> new Stream(TenantId.of(row.getString(1)), row.getString(2)), values.toArray());
	}

	/**
	 * Both parts by their primary keys, in the order of the pages. A stream has one row
	 * for each fold, so no part names it twice.
	 */
	private String due(Fold<?> fold, SnapshotRebuildOptions options, List<Object> values) {
		values.add(fold.name());
		values.add(fold.version());
		String sql = "select tenant_id, stream_id from %s where state_type = ? and fold_version <> ?"
			.formatted(this.snapshots) + ofTenant(options, values);
		if (options.prefix() == null) {
			return sql;
		}
		values.add(fold.snapshotEvery());
		values.add(options.prefix());
		values.add(fold.name());
		return sql + """
				 union all
				select tenant_id, stream_id from %s s where version >= ? and starts_with(stream_id, ?)
				   and not exists (select from %s o where o.tenant_id = s.tenant_id and o.stream_id = s.stream_id
				                        and (o.state_type = ? or o.state_type = '' and o.version >= s.version))"""
			.formatted(this.streams, this.snapshots) + ofTenant(options, values);
	}

	private static String ofTenant(SnapshotRebuildOptions options, List<Object> values) {
		TenantId only = options.tenantId();
		if (only == null) {
			return "";
		}
		values.add(only.value());
		return " and tenant_id = ?";
	}

	/** A stream that needs a snapshot. */
	record Stream(TenantId tenantId, String streamId) {
	}

}
