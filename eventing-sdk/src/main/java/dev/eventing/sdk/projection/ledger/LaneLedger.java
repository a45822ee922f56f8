package dev.eventing.sdk.projection.ledger;

import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.ReplacedRows;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * How far the lanes that fill a generation are, in {@code projection_lanes}. Thread-safe.
 */
final class LaneLedger {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String lanes;

	private final String handedOut;

	private final String move;

	LaneLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.base();
		this.lanes = schema.table("projection_lanes");
		this.handedOut = ReplacedRows.latest("handed_out", schema.table("projector_handouts"), "projector_name");
		this.move = """
				with gone as (
				  delete from %1$s
				   where projection_name = ? and generation = ? and lane = ?
				     and revision = (select revision from %1$s
				                      where projection_name = ? and generation = ? and lane = ?
				                      order by revision desc limit 1)
				  returning projection_name, generation, lane, revision, position)
				insert into %1$s (projection_name, generation, lane, revision, position)
				select projection_name, generation, lane, revision + 1, greatest(position, ?) from gone"""
			.formatted(this.lanes);
	}

	/** The position of each lane. By the primary key. */
	List<Long> positions(int generation) {
		return ReplacedRows.query(this.jdbc, """
				select distinct on (lane) position from %s
				 where projection_name = ? and generation = ? order by lane, revision desc""".formatted(this.lanes),
				(row, number) -> row.getLong(1), this.projector, generation);
	}

	/** As {@link FillingLedger#lanes}: former rows cost nothing. */
	List<Long> positions(int generation, int count) {
		return ReplacedRows.query(this.jdbc, """
				select coalesce((select position from %s
				                  where projection_name = ? and generation = ? and lane = numbers.lane
				                  order by revision desc limit 1), -1)
				  from generate_series(0, ? - 1) as numbers (lane) order by numbers.lane""".formatted(this.lanes),
				(row, number) -> row.getLong(1), this.projector, generation, count);
	}

	void add(int generation, int count, long position) {
		this.jdbc.update("""
				insert into %s (projection_name, generation, lane, position)
				select ?, ?, lane, ? from generate_series(0, ? - 1) lane""".formatted(this.lanes), this.projector,
				generation, position, count);
	}

	void remove(int generation) {
		this.jdbc.update("delete from %s where projection_name = ? and generation = ?".formatted(this.lanes),
				this.projector, generation);
	}

	/** As {@link FillingLedger#lockedLane}. */
	LockedLane locked(int generation, int lane, String reader) {
		List<LockedLane> locked = lock(generation, lane, reader);
		if (locked.isEmpty()) {
			// The transaction that moved it has committed; this statement sees its row.
			locked = lock(generation, lane, reader);
		}
		if (locked.isEmpty()) {
			throw new OptimisticLockingFailureException(
					"Generation " + generation + " of projector '" + this.projector + "' has no lane " + lane);
		}
		return locked.get(0);
	}

	private List<LockedLane> lock(int generation, int lane, String reader) {
		return ReplacedRows.query(this.jdbc, """
				select position, coalesce((%2$s), 0) from %1$s
				 where projection_name = ? and generation = ? and lane = ?
				   and revision = (select revision from %1$s
				                    where projection_name = ? and generation = ? and lane = ?
				                    order by revision desc limit 1)
				   for update""".formatted(this.lanes, this.handedOut),
				(row, number) -> new LockedLane(row.getLong(1), row.getLong(2)), reader, this.projector, generation,
				lane, this.projector, generation, lane);
	}

	/** As {@link FillingLedger#move}. */
	void move(int generation, int lane, long position) {
		ReplacedRows.update(this.jdbc, this.move, this.projector, generation, lane, this.projector, generation, lane,
				position);
	}

}
