package dev.eventing.sdk.projection.ledger;

import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How the owners of two generations agree on a switch, in {@code projection_requests}.
 * The owner of the next one asks the owner of the live one to hold it. Both times are the
 * database's. Every statement runs in the caller's transaction, or alone if it only
 * reads; each finds its row by the primary key. Thread-safe.
 */
public final class SwitchLedger {

	private final JdbcClient jdbc;

	private final String requests;

	private final String epochs;

	/** Sends no query yet. */
	public SwitchLedger(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.requests = schema.table("projection_requests");
		this.epochs = schema.table("lease_epochs");
	}

	/**
	 * Asks the owner of the live generation to hold it where it is, at this position or
	 * behind it.
	 */
	public void ask(long request, long position, long millis) {
		this.jdbc.sql("""
				update %s set hold_at = :position, held_at = null, held_epoch = null,
				       hold_until = clock_timestamp() + :millis * interval '1 millisecond'
				 where request_id = :request and status = 'PENDING'""".formatted(this.requests))
			.param("position", position)
			.param("millis", millis)
			.param("request", request)
			.update();
	}

	/** Where the live generation is held; empty if it is not, or not any more. */
	public Optional<Held> held(long request) {
		return this.jdbc
			.sql("""
					select held_at, held_epoch from %s
					 where request_id = ? and status = 'PENDING' and held_at is not null and hold_until > clock_timestamp()"""
				.formatted(this.requests))
			.param(request)
			.query((row, number) -> new Held(row.getLong(1), row.getLong(2)))
			.optional();
	}

	/**
	 * Whether the live generation stays held, where it was and by the same owner, until
	 * the caller's transaction ends: its owner waits for that, and no other node takes
	 * its lease. Another owner may have held it elsewhere meanwhile.
	 */
	public boolean keepHeld(long request, Held held, String lease) {
		return this.jdbc.sql("""
				select true from %s r
				 where r.request_id = ? and r.status = 'PENDING' and r.held_at = ? and r.held_epoch = ?
				   and r.hold_until > clock_timestamp() and r.expires_at > clock_timestamp()
				   for update""".formatted(this.requests))
			.param(request)
			.param(held.position())
			.param(held.epoch())
			.query(Boolean.class)
			.optional()
			.isPresent()
				&& this.jdbc
					.sql("select true from %s where lease_name = ? and epoch = ? for share".formatted(this.epochs))
					.param(lease)
					.param(held.epoch())
					.query(Boolean.class)
					.optional()
					.isPresent();
	}

	/**
	 * Records that the live generation is held, if this position was asked for.
	 * @param position all its events up to here are settled, and none after it
	 * @param epoch the epoch of its owner's lease
	 * @return the request that asks for it
	 */
	public Optional<Long> hold(String projector, long position, long epoch) {
		return this.jdbc.sql("""
				update %s r set held_at = :position, held_epoch = :epoch
				 where r.projection_name = :projector and r.status = 'PENDING'
				   and r.hold_until > clock_timestamp() and r.hold_at <= :position
				returning r.request_id""".formatted(this.requests))
			.param("position", position)
			.param("epoch", epoch)
			.param("projector", projector)
			.query(Long.class)
			.optional();
	}

	/**
	 * Resumes the live generation if the request has ended, its time is over, or a new
	 * owner of the next generation has asked again: that may be further than the live
	 * one. Waits for a switch that is being committed.
	 * @param epoch the epoch of the lease with which the live generation was held
	 * @return whether it may continue
	 */
	public boolean letGo(long request, long epoch) {
		return this.jdbc.sql("""
				update %s set held_at = null, held_epoch = null
				 where request_id = ? and (status <> 'PENDING' or hold_until <= clock_timestamp()
				                           or held_epoch is distinct from ?)""".formatted(this.requests))
			.param(request)
			.param(epoch)
			.update() > 0;
	}

	/**
	 * Lets the live generation go, because it is stopped, in any state of the request.
	 * Waits for a switch that is being committed.
	 * @param epoch the epoch of the lease with which the live generation was held
	 * @return true: it may continue
	 */
	public boolean giveUp(long request, long epoch) {
		this.jdbc
			.sql("update %s set held_at = null, held_epoch = null where request_id = ? and held_epoch = ?"
				.formatted(this.requests))
			.param(request)
			.param(epoch)
			.update();
		return true;
	}

	/**
	 * Lets the live generation go, because it was held too long, and holds it no more
	 * until that is asked for again. Waits for a switch that is being committed.
	 * @param epoch the epoch of the lease with which the live generation was held
	 * @return true: it may continue
	 */
	public boolean endHold(long request, long epoch) {
		this.jdbc
			.sql("update %s set hold_until = null where request_id = ? and held_epoch = ?".formatted(this.requests))
			.param(request)
			.param(epoch)
			.update();
		return giveUp(request, epoch);
	}

	/**
	 * Where a generation is held.
	 *
	 * @param position all its events up to here are settled, and none after it
	 * @param epoch the epoch of its owner's lease
	 */
	public record Held(long position, long epoch) {
	}

}
