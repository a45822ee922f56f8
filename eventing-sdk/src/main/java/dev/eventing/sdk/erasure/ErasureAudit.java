package dev.eventing.sdk.erasure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.erasure.ErasureReport.Erased;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Who erased what, in {@code erasures}. In the caller's transaction. Thread-safe. */
final class ErasureAudit {

	private final JdbcClient jdbc;

	private final EventingSchema schema;

	private final String table;

	ErasureAudit(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.table = schema.table("erasures");
	}

	void add(ErasureRequest request, List<Erased> erased) {
		Map<String, Long> counts = new LinkedHashMap<>();
		erased.forEach((each) -> counts.put(each.what(), each.count()));
		this.jdbc.sql("""
				insert into %s (tenant_id, stream_id, actor, reason, erased)
				values (?, ?, ?, ?, cast(? as jsonb))""".formatted(this.table))
			.params(request.tenantId().value(), request.streamId(), StorableText.of(request.actor()),
					StorableText.of(request.reason()), EventJson.mapper().writeValueAsString(counts))
			.update();
	}

	/** The role of the connection, as a statement writes it. */
	String role() {
		return this.jdbc.sql("select quote_ident(current_user)").query(String.class).single();
	}

	/**
	 * The rights that the role lacks on the SDK's tables: to change and to delete rows.
	 */
	List<String> missingRights(Collection<String> tables) {
		return this.jdbc.sql("""
				select concat_ws(', ', case when not has_table_privilege(c.oid, 'SELECT') then 'select' end,
				                 case when not has_table_privilege(c.oid, 'UPDATE')
				                       and c.relname = any (:changed) then 'update' end,
				                 case when not has_table_privilege(c.oid, 'INSERT')
				                       and c.relname = 'erasures' then 'insert' end) || ' on ' || c.oid::regclass
				  from pg_class c join pg_namespace n on n.oid = c.relnamespace
				 where n.nspname = :schema and c.relname = any (:changed || array['erasures'])
				   and (not has_table_privilege(c.oid, 'SELECT')
				        or not has_table_privilege(c.oid, 'UPDATE') and c.relname = any (:changed)
				        or not has_table_privilege(c.oid, 'INSERT') and c.relname = 'erasures')
				 order by c.relname""")
			.param("schema", this.schema.name())
			.param("changed", tables.toArray(String[]::new))
			.query(String.class)
			.list();
	}

}
