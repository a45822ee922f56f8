package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.schema.EventingSchema;

/**
 * The transaction of the switch that made the live generation live. Claims from before
 * the switch are of older transactions, whatever the clock of the database does.
 */
final class LastSwitch {

	private LastSwitch() {
	}

	/**
	 * A subquery for the number of that transaction; 0 if transactions have other numbers
	 * since. The entry of the audit is never changed after the switch that adds it: if it
	 * has another transaction than the switch had, the rows are from a dump. By
	 * {@code projections_current} and {@code projection_audit_name}.
	 * @param projection a column with the projector's name
	 */
	static String transaction(EventingSchema schema, String projection) {
		return """
				(select case when l.live_transaction & 4294967295 = (
				               select a.xmin::text::bigint from %s a
				                where a.projection_name = l.projection_name and a.action = '%s'
				                order by a.audit_id desc limit 1)
				             then l.live_transaction else 0 end
				   from %s l where l.projection_name = %s and l.status = 'LIVE')""".formatted(
				schema.table("projection_audit"), ProjectionAction.SWITCHED, schema.table("projections"), projection);
	}

	/**
	 * A statement that records the number of that transaction as its entry of the audit
	 * has it: a later one, if the driver sets savepoints ({@code autosave}). By the
	 * primary key and {@code projection_audit_name}. Its parameters are the projector,
	 * again, and the generation.
	 */
	static String correction(EventingSchema schema) {
		return """
				update %s p
				   set live_transaction = p.live_transaction + ((a.entry - p.live_transaction) & 4294967295)
				  from (select xmin::text::bigint as entry from %s
				         where projection_name = ? and action = '%s' order by audit_id desc limit 1) a
				 where p.projection_name = ? and p.generation = ?""".formatted(schema.table("projections"),
				schema.table("projection_audit"), ProjectionAction.SWITCHED);
	}

}
