package dev.eventing.sdk.relay;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import dev.eventing.sdk.relay.Refusal.Status;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The events that a relay could not publish, and later events of their streams that are
 * held, in {@code relay_refusals}. The first row of a stopped stream is refused, waits
 * for a subject or place, or is to be retried. With {@link RefusedEvents#SKIP} a refused
 * row does not stop its stream. Callers that write must hold the lock of
 * {@link JdbcRelayPositions#lock()}.
 */
final class JdbcRefusals {

	private final JdbcTemplate jdbc;

	private final String relay;

	private final String table;

	private final String relays;

	private final RefusedEvents policy;

	/**
	 * The rows that block later rows of their stream until they are released.
	 */
	private final String blocking;

	JdbcRefusals(JdbcTemplate jdbc, EventingSchema schema, String relay, RefusedEvents policy) {
		this.jdbc = jdbc;
		this.relay = relay;
		this.policy = policy;
		this.blocking = (policy == RefusedEvents.SKIP) ? "'WAITING'" : "'REFUSED', 'WAITING'";
		this.table = schema.table("relay_refusals");
		this.relays = schema.table("relays");
	}

	/**
	 * Records refused, waiting and held events. Existing rows do not change. A held event
	 * whose predecessor was given up meanwhile is to be retried.
	 */
	void add(Collection<NewRefusal> refusals) {
		// Held rows come last: the insert checks the row that blocks them.
		insert(refusals.stream().filter((refusal) -> refusal.status() != Status.HELD));
		insert(refusals.stream().filter((refusal) -> refusal.status() == Status.HELD));
	}

	private void insert(Stream<NewRefusal> refusals) {
		List<Object[]> rows = refusals.map((refusal) -> {
			Slot slot = refusal.slot();
			StreamKey key = slot.key();
			String status = refusal.status().name();
			return new Object[] { this.relay, slot.position(), key.tenantId(), key.streamId(), slot.event().id(),
					status, status, this.relay, key.tenantId(), key.streamId(), refusal.reason(), refusal.subject(),
					refusal.place() };
		}).toList();
		// By relay_refusals_open.
		this.jdbc.batchUpdate("""
				insert into %1$s
				  (relay_name, global_position, tenant_id, stream_id, event_id, status, reason, subject,
				   place)
				values (?, ?, ?, ?, ?, case when ? <> 'HELD' then ? when exists (
				          select 1 from %1$s where relay_name = ? and tenant_id = ? and stream_id = ?
				             and status in (%2$s, 'RETRY')) then 'HELD' else 'RETRY' end, ?, ?, ?)
				on conflict (relay_name, global_position) do nothing""".formatted(this.table, this.blocking), rows);
	}

	/** By the primary key. */
	void remove(Collection<Long> positions) {
		this.jdbc.update("delete from %s where relay_name = ? and global_position = any(?)".formatted(this.table),
				this.relay, positions.toArray(Long[]::new));
	}

	/**
	 * Records that a retry failed. Later events of the stream are held again if the event
	 * stops the stream.
	 */
	void refusedAgain(NewRefusal refusal) {
		Slot slot = refusal.slot();
		boolean stops = refusal.status() == Status.WAITING || this.policy == RefusedEvents.STOP_STREAM;
		if (stops) {
			// By relay_refusals_stream.
			this.jdbc.update("""
					update %s set status = 'HELD' where relay_name = ? and tenant_id = ? and stream_id = ?
					   and status = 'RETRY' and global_position > ?""".formatted(this.table), this.relay,
					slot.key().tenantId(), slot.key().streamId(), slot.position());
		}
		// By the primary key.
		this.jdbc.update("""
				update %s set status = ?, reason = ?, subject = ?, place = ?, recorded_at = now()
				 where relay_name = ? and global_position = ?""".formatted(this.table), refusal.status().name(),
				refusal.reason(), refusal.subject(), refusal.place(), this.relay, slot.position());
		if (!stops) {
			release(slot.key());
		}
	}

	/** Notifies the publishing node of an operator's change. */
	private void tellOfAChange() {
		// By the primary key; the row is locked already.
		this.jdbc.update(
				"update %s set refusals_changed = refusals_changed + 1 where relay_name = ?".formatted(this.relays),
				this.relay);
	}

	/** The number of operators' changes. By the primary key. */
	long changes() {
		return Objects.requireNonNull(this.jdbc.queryForObject(
				"select coalesce(max(refusals_changed), 0) from %s where relay_name = ?".formatted(this.relays),
				Long.class, this.relay));
	}

	/** The streams that have rows with a status other than held. */
	Map<StreamKey, Open> open() {
		Map<StreamKey, Open> open = new HashMap<>();
		// By relay_refusals_open, which does not contain held rows.
		this.jdbc.query("""
				select tenant_id, stream_id, bool_or(status in (%s)), bool_or(status = 'WAITING'),
				       bool_or(status = 'WAITING' and subject is not null),
				       bool_or(status in ('WAITING', 'RETRY') and place is not null), bool_or(status = 'RETRY') from %s
				 where relay_name = ? and status <> 'HELD' group by tenant_id, stream_id""".formatted(this.blocking,
				this.table), (row) -> {
					open.put(new StreamKey(row.getString(1), row.getString(2)), new Open(row.getBoolean(3),
							row.getBoolean(4), row.getBoolean(5), row.getBoolean(6), row.getBoolean(7)));
				}, this.relay);
		return open;
	}

	/**
	 * The first subjects that events wait for, in order, after the given one. By
	 * relay_refusals_waiting.
	 */
	List<String> waitingFor(String behind, int limit) {
		return this.jdbc.queryForList("""
				select distinct subject from %s where relay_name = ? and status = 'WAITING' and subject > ?
				 order by subject limit ?""".formatted(this.table), String.class, this.relay, behind, limit);
	}

	/**
	 * The first places that events wait for or try, in order, after the given one. By
	 * relay_refusals_place.
	 */
	List<ClosedPlace> closedPlaces(String behind, int limit) {
		return this.jdbc.query("""
				select place, min(reason) from %s where relay_name = ? and place > ? and status in ('WAITING', 'RETRY')
				 group by place order by place limit ?""".formatted(this.table),
				(row, number) -> new ClosedPlace(row.getString(1), row.getString(2)), this.relay, behind, limit);
	}

	/**
	 * The number of events that wait for places, with those held behind them; the limit
	 * if there are more. By relay_refusals_place, and by relay_refusals_stream.
	 */
	int countBehindPlaces(int limit) {
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				select count(*) from (select 1 from %1$s r
				  join (select distinct relay_name, tenant_id, stream_id from %1$s
				         where relay_name = ? and place is not null and status in ('WAITING', 'RETRY')) w
				 using (relay_name, tenant_id, stream_id) limit ?) behind""".formatted(this.table), Integer.class,
				this.relay, limit));
	}

	/**
	 * Marks the first events that wait for this place to be retried, at most
	 * {@code limit} rows. By relay_refusals_place, and by the primary key.
	 */
	void released(String place, int limit) {
		this.jdbc.update("""
				update %1$s set status = 'RETRY' where relay_name = ? and global_position = any(array(
				     select global_position from %1$s
				      where relay_name = ? and status = 'WAITING' and place = ?
				      order by global_position limit ?))""".formatted(this.table), this.relay, this.relay, place,
				limit);
	}

	/**
	 * Describes the refused event with the lowest position; empty if there is none. By
	 * relay_refusals_open.
	 * @param streams the number of streams that such events stop
	 */
	String describeRefused(long streams) {
		return query("status = 'REFUSED'", 1).stream()
			.findFirst()
			.map((first) -> "Streams of the event store that are stopped by an event that cannot be published: "
					+ streams + ". The first is event " + first.eventId() + " of tenant '" + first.tenantId()
					+ "', stream '" + first.streamId() + "', at position " + first.position() + ": " + first.reason()
					+ " Consider retry, after a correction, or giveUp of the bean Relays.")
			.orElse("");
	}

	/**
	 * Marks events that wait for one of these subjects to be retried, at most
	 * {@code limit} rows. By relay_refusals_waiting, and by the primary key.
	 * @return the number of marked rows
	 */
	int carried(Collection<String> subjects, int limit) {
		return this.jdbc.update("""
				update %1$s set status = 'RETRY' where relay_name = ? and global_position = any(array(
				     select global_position from %1$s
				      where relay_name = ? and status = 'WAITING' and subject = any(?) limit ?))"""
			.formatted(this.table), this.relay, this.relay, subjects.toArray(String[]::new), limit);
	}

	/** Marks held events to be retried if nothing blocks their stream any more. */
	void releaseHeld() {
		// By relay_refusals_stream, and by the primary key.
		this.jdbc.update("""
				update %1$s r set status = 'RETRY'
				  from (select distinct on (tenant_id, stream_id) global_position from %1$s
				         where relay_name = ? and status = 'HELD'
				         order by tenant_id, stream_id, global_position) f
				 where r.relay_name = ? and r.global_position = f.global_position and not exists (
				     select 1 from %1$s where relay_name = r.relay_name and tenant_id = r.tenant_id
				        and stream_id = r.stream_id and status in (%2$s, 'RETRY'))""".formatted(this.table,
				this.blocking), this.relay, this.relay);
	}

	/**
	 * The first positions of a stream to retry, in order. By relay_refusals_stream.
	 */
	List<Long> toRetry(StreamKey key, int limit) {
		return this.jdbc.queryForList("""
				select global_position from %s where relay_name = ? and tenant_id = ? and stream_id = ?
				   and status in ('RETRY', 'HELD') order by global_position limit ?""".formatted(this.table),
				Long.class, this.relay, key.tenantId(), key.streamId(), limit);
	}

	/** By the primary key. */
	List<Refusal> find(int limit) {
		return query("true", limit);
	}

	private List<Refusal> query(String condition, int limit) {
		return this.jdbc.query("""
				select global_position, tenant_id, stream_id, event_id, status, reason, recorded_at from %s
				 where relay_name = ? and %s order by global_position limit ?""".formatted(this.table, condition),
				(row, number) -> new Refusal(row.getLong(1), row.getString(2), row.getString(3),
						row.getObject(4, UUID.class), Status.valueOf(row.getString(5)), row.getString(6),
						row.getObject(7, OffsetDateTime.class).toInstant()),
				this.relay, limit);
	}

	/**
	 * Marks all events of the stream to be retried, and returns their number. By
	 * relay_refusals_stream.
	 */
	int retry(StreamKey key) {
		tellOfAChange();
		this.jdbc.update("""
				update %s set status = 'RETRY' where relay_name = ? and tenant_id = ? and stream_id = ?
				   and status in ('REFUSED', 'WAITING')""".formatted(this.table), this.relay, key.tenantId(),
				key.streamId());
		release(key);
		return Objects.requireNonNull(this.jdbc
			.queryForObject("select count(*) from %s where relay_name = ? and tenant_id = ? and stream_id = ?"
				.formatted(this.table), Integer.class, this.relay, key.tenantId(), key.streamId()));
	}

	/**
	 * Gives up an event. Later events of its stream are to be retried unless another row
	 * still blocks them.
	 */
	boolean giveUp(long position) {
		tellOfAChange();
		// By the primary key.
		List<StreamKey> stream = this.jdbc.query(
				"""
						delete from %s where relay_name = ? and global_position = ? returning tenant_id, stream_id"""
					.formatted(this.table),
				(row, number) -> new StreamKey(row.getString(1), row.getString(2)), this.relay, position);
		stream.forEach(this::release);
		return !stream.isEmpty();
	}

	/**
	 * Marks held events to be retried if nothing blocks the stream. Changes the first row
	 * only, because there may be millions: the later rows follow it.
	 */
	void release(StreamKey key) {
		// By relay_refusals_stream, which has the first one first.
		this.jdbc.update("""
				update %1$s r set status = 'RETRY' where relay_name = ? and global_position = (
				     select global_position from %1$s where relay_name = ? and tenant_id = ? and stream_id = ?
				        and status = 'HELD' order by tenant_id, stream_id, global_position limit 1)
				   and not exists (
				     select 1 from %1$s where relay_name = r.relay_name and tenant_id = r.tenant_id
				        and stream_id = r.stream_id and status in (%2$s, 'RETRY'))""".formatted(this.table,
				this.blocking), this.relay, this.relay, key.tenantId(), key.streamId());
	}

	/**
	 * The kinds of rows that a stream has.
	 *
	 * @param blocked whether a row blocks the later ones
	 * @param waiting whether a row waits for a subject or place
	 * @param uncovered whether a row waits until a stream carries its subject
	 * @param closed whether a row waits for a place, or tries it
	 * @param retry whether a row is to be retried
	 */
	record Open(boolean blocked, boolean waiting, boolean uncovered, boolean closed, boolean retry) {
	}

	/**
	 * A row to write.
	 *
	 * @param slot the event
	 * @param status refused, waiting or held
	 * @param reason why
	 * @param subject the subject it waits for, or null
	 * @param place the place it waits for, or null
	 */
	record NewRefusal(Slot slot, Status status, String reason, @Nullable String subject, @Nullable String place) {

		static NewRefusal of(Slot slot, Status status, String reason) {
			return new NewRefusal(slot, status, reason, null, null);
		}

		static NewRefusal waiting(Slot slot, WaitsFor cause) {
			return new NewRefusal(slot, Status.WAITING, cause.reason(), cause.subject(), cause.place());
		}

	}

	/**
	 * A place for which events wait.
	 *
	 * @param place its name
	 * @param reason why one of them waits
	 */
	record ClosedPlace(String place, String reason) {
	}

}
