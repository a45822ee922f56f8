package dev.eventing.sdk.erasure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.erasure.ErasureReport.Erased;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

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

	/** The right that it needs itself. */
	List<TableRights> rights() {
		return List.of(TableRights.of("erasures", "insert"));
	}

	/** Those of these rights to the SDK's tables that the role lacks. */
	List<String> missingRights(Collection<TableRights> needed) {
		List<String> tables = new ArrayList<>();
		List<String> rights = new ArrayList<>();
		needed.forEach((each) -> each.rights().forEach((right) -> {
			tables.add(each.table());
			rights.add(right);
		}));
		// The catalog is readable without a right to use the schema.
		return this.jdbc
			.sql("""
					select 'usage on schema ' || quote_ident(nspname)
					  from pg_namespace where nspname = :schema and not has_schema_privilege(oid, 'USAGE')
					union all
					(select string_agg(distinct n.needed, ', ') || ' on ' || quote_ident(s.nspname) || '.' || quote_ident(c.relname)
					   from unnest(:tables, :rights) n (name, needed)
					   join pg_class c on c.relname = n.name
					   join pg_namespace s on s.oid = c.relnamespace and s.nspname = :schema
					  where not has_table_privilege(c.oid, n.needed)
					  group by s.nspname, c.relname order by c.relname)""")
			.param("schema", this.schema.name())
			.param("tables", tables.toArray(String[]::new))
			.param("rights", rights.toArray(String[]::new))
			.query(String.class)
			.list();
	}

}
