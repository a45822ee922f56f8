package dev.eventing.sdk.idempotency;

import java.util.Collection;
import java.util.UUID;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The events that one of two generations shows and the other does not, although both are
 * past them: an earlier version of the code had a handler for them. The claims of a
 * projector are those of its live generation. For another one, each difference is a row
 * of {@code processed_events} under the generation's name. Every statement runs in the
 * caller's transaction. Thread-safe.
 */
public final class ClaimDifferences {

	private final JdbcClient jdbc;

	private final ProjectorId generation;

	private final String processedEvents;

	private final AppliedEvents applied;

	/** Sends no query yet. */
	public ClaimDifferences(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation) {
		this.jdbc = JdbcClient.create(jdbc);
		this.generation = generation;
		this.processedEvents = schema.table("processed_events");
		this.applied = new AppliedEvents(schema);
	}

	/**
	 * Notes those of these events that are claimed, because the generation passes them
	 * by.
	 */
	public void passedBy(Collection<EventKey> events) {
		// One lookup per event by the primary key, and no join; see ProcessedEvents.
		this.jdbc.sql("""
				insert into %1$s (projector_name, event_id, tenant_id)
				select ?, e.event_id, e.tenant_id
				  from unnest(?::uuid[], ?::text[]) as e (event_id, tenant_id)
				 where (select true from %1$s p
				         where p.projector_name = ? and p.event_id = e.event_id and p.tenant_id = e.tenant_id)
				 order by e.event_id, e.tenant_id
				on conflict do nothing""".formatted(this.processedEvents))
			.param(this.generation.inColumn())
			.param(events.stream().map(EventKey::eventId).toArray(UUID[]::new))
			.param(events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new))
			.param(this.generation.base())
			.update();
	}

	/**
	 * Makes the claims those of this generation, because it becomes live, and keeps the
	 * differences for the former one.
	 */
	public void exchange(ProjectorId former) {
		// "not in" is a hash table.
		String differences = "select event_id, tenant_id from %s where projector_name = :generation"
			.formatted(this.processedEvents);
		this.jdbc
			.sql("""
					with gone as (
					  %2$s
					  returning event_id, tenant_id)
					insert into %1$s (projector_name, event_id, tenant_id)
					select :live, d.event_id, d.tenant_id from %1$s d
					 where d.projector_name = :generation
					   and (d.event_id, d.tenant_id) not in (select event_id, tenant_id from gone)
					 order by d.event_id, d.tenant_id""".formatted(this.processedEvents,
					this.applied.remove(":live", differences)))
			.param("generation", this.generation.inColumn())
			.param("live", this.generation.base())
			.update();
		this.jdbc
			.sql("update %s set projector_name = :former where projector_name = :generation"
				.formatted(this.processedEvents))
			.param("former", former.inColumn())
			.param("generation", this.generation.inColumn())
			.update();
	}

	/**
	 * Deletes some differences of generations that are gone.
	 * @return the number of deleted differences; 0 if none are left
	 */
	public static int sweep(JdbcOperations jdbc, EventingSchema schema, Collection<ProjectorId> gone) {
		// By the primary key. The order keeps PostgreSQL from reading claims of others.
		return jdbc.update("""
				delete from %1$s where ctid = any (array(
				  select difference.ctid
				    from unnest(?::text[]) as gone (name) cross join lateral (
				      select p.ctid from %1$s p
				       where p.projector_name = gone.name
				       order by p.event_id, p.tenant_id limit 10000) difference
				   limit 10000))""".formatted(schema.table("processed_events")),
				(Object) gone.stream().map(ProjectorId::inColumn).toArray(String[]::new));
	}

}
