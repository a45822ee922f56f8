package dev.eventing.sdk.relay;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The statements by which a relay saves and reads its position, for tests of other
 * packages.
 */
public final class RelayMoves {

	private final JdbcRelayPositions positions;

	private long position;

	public RelayMoves(JdbcTemplate jdbc) {
		this.positions = new JdbcRelayPositions(jdbc, EventingSchema.defaults(), "accounts");
	}

	public void begin() {
		this.position = this.positions.find().position();
	}

	/** Saves the next position. */
	public void save() {
		this.positions.lock();
		this.positions.advance(this.position, this.position + 1, null);
		this.position++;
	}

	public long read() {
		return this.positions.find().position();
	}

}
