package dev.eventing.sdk.relay;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.relay.Refusal.Status;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The events a relay could not publish and those held behind them, in
 * {@code relay_refusals}. The first row of a stopped stream is refused, or to be tried
 * again. Who writes holds the lock of {@link JdbcRelayPositions#lock()}.
 */
final class JdbcRefusals {

	private final JdbcTemplate jdbc;

	private final String relay;

	private final String table;

	JdbcRefusals(JdbcTemplate jdbc, EventingSchema schema, String relay) {
		this.jdbc = jdbc;
		this.relay = relay;
		this.table = schema.table("relay_refusals");
	}

	/**
	 * Records refused and held events; those recorded already stay as they are. An event
	 * behind one that was given up meanwhile is to be tried. By relay_refusals_stream.
	 */
	void add(Collection<NewRefusal> refusals) {
		// A held one looks for the refused one before it.
		add(refusals, Status.REFUSED);
		add(refusals, Status.HELD);
	}

	private void add(Collection<NewRefusal> refusals, Status status) {
		List<Object[]> rows = new ArrayList<>();
		for (NewRefusal refusal : refusals) {
			if (refusal.status() != status) {
				continue;
			}
			Slot slot = refusal.slot();
			StreamKey key = slot.key();
			rows.add(new Object[] { this.relay, slot.position(), key.tenantId(), key.streamId(), slot.event().id(),
					refusal.status().name(), this.relay, key.tenantId(), key.streamId(), refusal.reason() });
		}
		this.jdbc.batchUpdate(
				"""
						insert into %1$s (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
						values (?, ?, ?, ?, ?, case when ? = 'REFUSED' then 'REFUSED' when exists (
						          select 1 from %1$s where relay_name = ? and tenant_id = ? and stream_id = ? and status <> 'HELD')
						        then 'HELD' else 'RETRY' end, ?)
						on conflict (relay_name, global_position) do nothing"""
					.formatted(this.table),
				rows);
	}

	/** By the primary key. */
	void remove(Collection<Long> positions) {
		this.jdbc.update("delete from %s where relay_name = ? and global_position = any(?)".formatted(this.table),
				this.relay, positions.toArray(Long[]::new));
	}

	/** An event was tried again in vain: those behind it are held again. */
	void refusedAgain(Slot slot, String reason) {
		// By relay_refusals_stream.
		this.jdbc.update("""
				update %s set status = 'HELD' where relay_name = ? and tenant_id = ? and stream_id = ?
				   and status = 'RETRY' and global_position > ?""".formatted(this.table), this.relay,
				slot.key().tenantId(), slot.key().streamId(), slot.position());
		// By the primary key.
		this.jdbc.update("""
				update %s set status = 'REFUSED', reason = ?, recorded_at = now()
				 where relay_name = ? and global_position = ?""".formatted(this.table), reason, this.relay,
				slot.position());
	}

	/** The streams with rows that are not merely held, and whether one is refused. */
	Map<StreamKey, Boolean> open() {
		Map<StreamKey, Boolean> open = new HashMap<>();
		// By relay_refusals_stream.
		this.jdbc.query("""
				select tenant_id, stream_id, bool_or(status = 'REFUSED') from %s
				 where relay_name = ? and status <> 'HELD' group by tenant_id, stream_id""".formatted(this.table),
				(row) -> {
					open.put(new StreamKey(row.getString(1), row.getString(2)), row.getBoolean(3));
				}, this.relay);
		return open;
	}

	/** What is held though nothing stops streams any more is to be tried. */
	void releaseHeld() {
		this.jdbc.update(
				"update %s set status = 'RETRY' where relay_name = ? and status = 'HELD'".formatted(this.table),
				this.relay);
	}

	/**
	 * The first positions to try again of a stream, in order. By relay_refusals_stream.
	 */
	List<Long> toRetry(StreamKey key, boolean heldToo, int limit) {
		return this.jdbc.queryForList("""
				select global_position from %s where relay_name = ? and tenant_id = ? and stream_id = ?
				   and (status = 'RETRY' or status = 'HELD' and ?) order by global_position limit ?"""
			.formatted(this.table), Long.class, this.relay, key.tenantId(), key.streamId(), heldToo, limit);
	}

	List<Refusal> find(int limit) {
		// By the primary key.
		return this.jdbc.query("""
				select global_position, tenant_id, stream_id, event_id, status, reason, recorded_at from %s
				 where relay_name = ? order by global_position limit ?""".formatted(this.table),
				(row, number) -> new Refusal(row.getLong(1), row.getString(2), row.getString(3),
						row.getObject(4, UUID.class), Status.valueOf(row.getString(5)), row.getString(6),
						row.getObject(7, OffsetDateTime.class).toInstant()),
				this.relay, limit);
	}

	/** All of the stream are to be tried; returns how many. By relay_refusals_stream. */
	int retry(StreamKey key) {
		return this.jdbc.update("""
				update %s set status = 'RETRY' where relay_name = ? and tenant_id = ? and stream_id = ?"""
			.formatted(this.table), this.relay, key.tenantId(), key.streamId());
	}

	/** Gives one up; its followers are to be tried unless another refused one is left. */
	boolean giveUp(long position) {
		// By the primary key.
		List<StreamKey> stream = this.jdbc.query(
				"""
						delete from %s where relay_name = ? and global_position = ? returning tenant_id, stream_id"""
					.formatted(this.table),
				(row, number) -> new StreamKey(row.getString(1), row.getString(2)), this.relay, position);
		stream.forEach(this::release);
		return !stream.isEmpty();
	}

	/** What is held with nothing refused before it is to be tried. */
	void release(StreamKey key) {
		// By relay_refusals_stream.
		this.jdbc.update("""
				update %1$s r set status = 'RETRY' where relay_name = ? and tenant_id = ? and stream_id = ?
				   and status = 'HELD' and not exists (
				     select 1 from %1$s where relay_name = r.relay_name and tenant_id = r.tenant_id
				        and stream_id = r.stream_id and status = 'REFUSED')""".formatted(this.table), this.relay,
				key.tenantId(), key.streamId());
	}

	/**
	 * A row to write.
	 *
	 * @param slot the event
	 * @param status refused or held
	 * @param reason why
	 */
	record NewRefusal(Slot slot, Status status, String reason) {
	}

}
