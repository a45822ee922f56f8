package dev.eventing.sdk.idempotency;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Makes the events count as applied by every projector, so that none applies contents
 * that it has read before, or that JetStream delivers again. Their rows stay, and lose
 * the digest of the contents. Thread-safe.
 */
public final class ClaimErasure implements ErasureStep {

	private final AppliedEvents applied;

	private final String table;

	/** Sends no query yet. */
	public ClaimErasure(EventingSchema schema) {
		this.applied = new AppliedEvents(schema);
		this.table = schema.table("processed_events");
	}

	@Override
	public Set<String> tables() {
		return Set.of("processed_events");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("processed_events", "select", "insert", "update"));
	}

	/** Waits for transactions that are applying some of the events. */
	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		// In the order in which claims take their locks.
		jdbc.sql(this.applied.add("""
				select n.projector_name, e.event_id, :tenant from (%s) n cross join (%s) e
				 order by n.projector_name, e.event_id""".formatted(stream.projectors(), stream.eventIds())))
			.params(stream.params())
			.update();
		return ErasureStep.super.erase(stream, jdbc);
	}

	/** By the primary key: the names come from it one by one. */
	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		return List.of(ErasureStatement.setting("digests of contents", this.table, "content_digest = null", """
				content_digest is not null and ctid = any (array(
				  with recursive named (name) as (
				    select min(projector_name) from %1$s
				    union all
				    select (select min(p.projector_name) from %1$s p where p.projector_name > named.name)
				      from named where named.name is not null)
				  select claim.ctid
				    from named cross join (%2$s) e cross join lateral (
				      select p.ctid from %1$s p
				       where p.projector_name = named.name and p.event_id = e.event_id and p.tenant_id = :tenant
				      offset 0) claim))""".formatted(this.table, stream.eventIds())));
	}

}
