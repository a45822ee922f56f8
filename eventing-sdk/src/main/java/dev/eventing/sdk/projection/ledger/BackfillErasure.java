package dev.eventing.sdk.projection.ledger;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Makes the events of a stream count as settled by the backfills that apply events in
 * spite of their claims, so that none applies contents that it has read before. Later
 * backfills read what the erasure has left. Thread-safe.
 */
public final class BackfillErasure implements ErasureStep {

	private final String requests;

	private final String backfills;

	private final String settled;

	/** Sends no query yet. */
	public BackfillErasure(EventingSchema schema) {
		this.requests = schema.table("projection_requests");
		this.backfills = schema.table("projection_backfills");
		this.settled = schema.table("projection_backfill_events");
	}

	@Override
	public Set<String> tables() {
		return Set.of("projection_backfill_events");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("projection_backfills", "select"),
				TableRights.of("projection_requests", "select"),
				TableRights.of("projection_backfill_events", "select", "insert"));
	}

	/** Waits for transactions that are applying some of the events. */
	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		// In the order in which backfills take their locks.
		jdbc.sql("""
				insert into %s (request_id, global_position)
				select b.request_id, e.global_position
				  from %s b join %s r on r.request_id = b.request_id cross join (%s) e
				 where r.status = 'PENDING' and r.handler is not null
				   and e.global_position > b.position and e.global_position <= b.up_to
				 order by 1, 2
				on conflict (request_id, global_position) do nothing""".formatted(this.settled, this.backfills,
				this.requests, stream.positions()))
			.params(stream.params())
			.update();
		return List.of();
	}

}
