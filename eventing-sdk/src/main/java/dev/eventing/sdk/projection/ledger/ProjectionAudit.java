package dev.eventing.sdk.projection.ledger;

import java.time.OffsetDateTime;
import java.util.List;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The audit of projectors, in {@code projection_audit}. In the caller's transaction. */
final class ProjectionAudit {

	private final JdbcClient jdbc;

	private final String table;

	ProjectionAudit(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.table = schema.table("projection_audit");
	}

	void add(String projector, @Nullable Integer generation, String actor, ProjectionAction action,
			@Nullable String reason, @Nullable String detail) {
		this.jdbc.sql("""
				insert into %s (projection_name, generation, actor, action, reason, detail)
				values (:projector, cast(:generation as integer), :actor, :action, cast(:reason as text),
				        cast(:detail as text))""".formatted(this.table))
			.param("projector", projector)
			.param("generation", generation)
			.param("actor", StorableText.of(actor))
			.param("action", action.name())
			.param("reason", StorableText.ofNullable(reason))
			.param("detail", StorableText.ofNullable(detail))
			.update();
	}

	/**
	 * The last actions on a projector, oldest first. Reads {@code projection_audit_name}
	 * backwards.
	 */
	List<ProjectionAuditEntry> of(String projector, int limit) {
		return this.jdbc.sql("""
				select at, generation, actor, action, reason, detail
				  from (select * from %s where projection_name = ? order by audit_id desc limit ?) newest
				 order by audit_id""".formatted(this.table))
			.param(projector)
			.param(limit)
			.query((row, number) -> new ProjectionAuditEntry(row.getObject(1, OffsetDateTime.class).toInstant(),
					row.getObject(2, Integer.class), row.getString(3), ProjectionAction.valueOf(row.getString(4)),
					row.getString(5), row.getString(6)))
			.list();
	}

}
