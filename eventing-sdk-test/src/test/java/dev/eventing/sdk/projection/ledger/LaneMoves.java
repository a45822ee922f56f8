package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The statements by which a lane that fills a generation moves and reads its position,
 * for tests of other packages.
 */
public final class LaneMoves {

	private static final int GENERATION = 2;

	private static final int LANES = 4;

	private final LaneLedger lanes;

	private long position;

	public LaneMoves(JdbcOperations jdbc) {
		this.lanes = new LaneLedger(jdbc, EventingSchema.defaults(), ProjectorId.of("accounts"));
	}

	public void begin() {
		this.lanes.add(GENERATION, LANES, 0);
	}

	/** Moves the first lane past the next event. */
	public void move() {
		this.lanes.move(GENERATION, 0, this.position + 1);
		this.position++;
	}

	/** Locks the position, as each transaction of the lane does first. */
	public long read() {
		return this.lanes.locked(GENERATION, 0, "accounts").position();
	}

	/** Looks at all lanes, as each transaction does that moves the checkpoint. */
	public void look() {
		this.lanes.positions(GENERATION, LANES);
	}

	/** The highest position of the lanes. */
	public long highest() {
		return this.lanes.positions(GENERATION).stream().mapToLong(Long::longValue).max().orElseThrow();
	}

}
