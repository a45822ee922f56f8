package dev.eventing.sdk.projector.feed.store;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The statements by which a projector moves and reads its checkpoint, for tests of other
 * packages.
 */
public final class CheckpointMoves {

	private final JdbcCheckpoints checkpoints;

	private long position;

	public CheckpointMoves(JdbcOperations jdbc) {
		this.checkpoints = new JdbcCheckpoints(jdbc, EventingSchema.defaults(), ProjectorId.of("accounts"));
	}

	public void begin() {
		this.position = this.checkpoints.findOrBegin(0).position();
	}

	/** Hands out one event more than the position has reached. */
	public void handOut() {
		this.checkpoints.handOut(this.position, this.position + 1);
	}

	/** Moves the position past the event that was handed out. */
	public void move() {
		this.checkpoints.move(this.position, this.position + 1, this.position + 1);
		this.position++;
	}

	public long read() {
		return this.checkpoints.find().orElseThrow().position();
	}

}
