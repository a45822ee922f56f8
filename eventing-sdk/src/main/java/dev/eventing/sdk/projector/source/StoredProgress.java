package dev.eventing.sdk.projector.source;

import java.time.Duration;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.ReplacedRows;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/** The progress of a projector that reads the event store. Thread-safe. */
final class StoredProgress implements Progress {

	/** Below this number, the events are counted exactly. */
	private static final int COUNTED = 10_000;

	private final JdbcOperations jdbc;

	private final String projector;

	private final SettledEvents settled;

	private final FillingGuard filling;

	private final String lag;

	private final String passed;

	StoredProgress(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.filling = new FillingGuard(jdbc, schema, projector);
		this.settled = new SettledEvents(jdbc, schema, projector);
		String position = ReplacedRows.latest("position", schema.table("projector_checkpoints"), "projector_name");
		// Uses only primary keys: the end of the checkpoints, a bounded range of the
		// events, and both of its ends.
		this.lag = """
				select (select count(*) from (select from %2$s where global_position > c.position limit ?) as counted),
				       (select coalesce(max(global_position), 0) from %2$s) - c.position,
				       (select extract(epoch from clock_timestamp() - recorded_at) * 1000 from %2$s
				         where global_position > c.position order by global_position limit 1)
				  from (select coalesce(max(position), 0) as position from (%1$s) as latest) as c""".formatted(position,
				schema.table("events"));
		this.passed = "select coalesce((%s) >= ?, false)".formatted(position);
	}

	@Override
	public ProjectorLag lag() {
		return ReplacedRows.query(this.jdbc, this.lag, (row, number) -> {
			long counted = row.getLong(1);
			return (counted == 0) ? ProjectorLag.NONE : new ProjectorLag((counted < COUNTED) ? counted : row.getLong(2),
					Duration.ofMillis(Math.max(0, row.getLong(3))));
		}, COUNTED, this.projector).get(0);
	}

	/**
	 * A failed event of another key may keep the checkpoint below this position for long.
	 * So a settled event at the position also ends the wait.
	 */
	@Override
	public Wait waitFor(long position) {
		return () -> {
			boolean settledNow = isPast(position) || this.settled.has(position);
			this.filling.requireNone();
			return settledNow;
		};
	}

	private boolean isPast(long position) {
		return ReplacedRows.query(this.jdbc, this.passed, (row, number) -> row.getBoolean(1), this.projector, position)
			.get(0);
	}

}
