package dev.eventing.sdk.idempotency;

import dev.eventing.sdk.schema.EventingSchema;

/**
 * Parts of SQL on {@code processed_events}, for statements of other packages that have to
 * see both sides at one moment. All find rows by the primary key. Thread-safe.
 */
public final class AppliedEvents {

	private final String table;

	/** Sends no query. */
	public AppliedEvents(EventingSchema schema) {
		this.table = schema.table("processed_events");
	}

	/**
	 * The name of the table, for statements that look which transactions have claimed
	 * events, and so hold a lock on it.
	 */
	public String lockedByClaims() {
		return this.table;
	}

	/**
	 * A condition that is true if the projector has applied the event.
	 * @param projector the projector's name, as SQL; no column of an alias {@code p}
	 * @param event the event's id, likewise
	 * @param tenant the tenant's id, likewise
	 */
	public String has(String projector, String event, String tenant) {
		return "exists (select from %s p where p.projector_name = %s and p.event_id = %s and p.tenant_id = %s)"
			.formatted(this.table, projector, event, tenant);
	}

	/**
	 * The same condition, for statements that ask about many events; null in place of
	 * false. A scalar subquery is one lookup per event, and no join, which could read all
	 * claims.
	 * @param projector the projector's name, as SQL; no column of an alias {@code p}
	 * @param event the event's id, likewise
	 * @param tenant the tenant's id, likewise
	 */
	public String hasEach(String projector, String event, String tenant) {
		return "(select true from %s p where p.projector_name = %s and p.event_id = %s and p.tenant_id = %s)"
			.formatted(this.table, projector, event, tenant);
	}

	/**
	 * A statement that makes events count as applied. Those that count already stay as
	 * they are.
	 * @param events a query of projectors' names, events' ids and tenants' ids. Its rows
	 * are ordered by these, as claims take their locks, so that the two cannot deadlock.
	 */
	public String add(String events) {
		return """
				insert into %s (projector_name, event_id, tenant_id)
				%s
				on conflict (projector_name, event_id, tenant_id) do nothing""".formatted(this.table, events);
	}

	/**
	 * A statement that makes events of a projector count as not applied.
	 * @param projector the projector's name, as SQL
	 * @param events a query of {@code event_id} and {@code tenant_id}
	 */
	public String remove(String projector, String events) {
		// One lookup per event: "offset 0" keeps the two from being joined in another
		// way, also where statistics know of no claims.
		return """
				delete from %1$s where ctid = any (array(
				  select claim.ctid
				    from (%3$s) d cross join lateral (
				      select p.ctid from %1$s p
				       where p.projector_name = %2$s and p.event_id = d.event_id and p.tenant_id = d.tenant_id
				      offset 0) claim))""".formatted(this.table, projector, events);
	}

}
