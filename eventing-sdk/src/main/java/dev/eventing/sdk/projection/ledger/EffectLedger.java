package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventColumns;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The undecided effects of a projector, in {@code projection_effects}. Every statement
 * runs in the caller's transaction. Thread-safe.
 */
public final class EffectLedger {

	private static final int SOME = 10_000;

	private final JdbcOperations jdbc;

	private final ProjectorId live;

	private final String effects;

	private final String events;

	private final EffectConditions conditions;

	/**
	 * Sends no query yet.
	 * @param projector any generation of the projector
	 */
	public EffectLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.live = projector.live();
		this.effects = schema.table("projection_effects");
		this.events = schema.table("events");
		this.conditions = new EffectConditions(schema);
	}

	/**
	 * Of these events, those whose effects are not settled for the live generation: they
	 * are neither in the event store nor due, and no former generation has handled the
	 * event.
	 */
	public Set<Cause> unsettled(Collection<Cause> causes) {
		return find(causes, "not (" + isSettled() + ")", this.live.base());
	}

	/** One lookup per event in events_event, and one in the primary key. */
	private String isSettled() {
		return """
				exists (select from %s e where e.event_id = u.first_effect and e.tenant_id = u.tenant_id offset 0)
				or exists (select from %s p
				            where p.projection_name = ? and p.event_id = u.event_id and p.tenant_id = u.tenant_id
				              and p.state in ('DUE', 'SETTLED') offset 0)""".formatted(this.events, this.effects);
	}

	/**
	 * Of these events, those that the live generation has not applied, and whose effects
	 * are not settled. One statement sees its position and its letters at one moment.
	 * @param stream where the events were read; null for the event store
	 */
	public Set<Cause> ahead(Collection<Cause> causes, @Nullable SourceStream stream) {
		return find(causes, "not (" + isSettled() + " or (" + this.conditions.applied("u", stream) + "))",
				with(this.conditions.arguments(this.live, stream), this.live.base()));
	}

	private Set<Cause> find(Collection<Cause> causes, String condition, Object... arguments) {
		List<Cause> asked = List.copyOf(causes);
		Object[] all = new Object[4 + arguments.length];
		all[0] = asked.stream().map(Cause::eventId).toArray(UUID[]::new);
		all[1] = texts(asked, (cause) -> cause.tenantId().value());
		all[2] = asked.stream().map(Cause::sequence).toArray(Long[]::new);
		all[3] = asked.stream().map(Cause::firstEffect).toArray(UUID[]::new);
		System.arraycopy(arguments, 0, all, 4, arguments.length);
		Set<Cause> found = new HashSet<>();
		this.jdbc.query("""
				select u.place
				  from unnest(?::uuid[], ?::text[], ?::bigint[], ?::uuid[]) with ordinality
				       as u (event_id, tenant_id, sequence, first_effect, place)
				 where %s""".formatted(condition), (row) -> {
			found.add(asked.get(row.getInt(1) - 1));
		}, all);
		return found;
	}

	private static String[] texts(List<Cause> causes, Function<Cause, String> text) {
		return causes.stream().map(text).toArray(String[]::new);
	}

	/** Stores effects that only this generation has caused. */
	public void store(int generation, List<Effect> caused) {
		this.jdbc.batchUpdate(
				"""
						insert into %s (projection_name, generation, event_id, tenant_id, n, state, sequence, effect_id, stream_id,
						                event_type, occurred_at, payload, metadata)
						values (?, ?, ?, ?, ?, 'STORED', ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)
						on conflict do nothing"""
					.formatted(this.effects),
				caused, caused.size(), (row, effect) -> {
					EventColumns event = effect.event();
					row.setString(1, this.live.base());
					row.setInt(2, generation);
					row.setObject(3, effect.cause().eventId());
					row.setString(4, effect.cause().tenantId().value());
					row.setInt(5, effect.n());
					row.setLong(6, effect.cause().sequence());
					row.setObject(7, event.id());
					row.setString(8, event.streamId());
					row.setString(9, event.type());
					row.setObject(10, event.occurredAt().atOffset(ZoneOffset.UTC));
					row.setString(11, event.payload());
					row.setString(12, event.metadata());
				});
	}

	/**
	 * Deletes some stored effects of a generation whose events the live one has applied
	 * meanwhile.
	 * @param stream what the generation is fed from; null for the event store
	 */
	public void forgetApplied(int generation, @Nullable SourceStream stream) {
		// By projection_effects_stored, then a lookup per row.
		this.jdbc.update("""
				delete from %1$s where ctid = any (array(
				  select u.ctid from %1$s u
				   where u.projection_name = ? and u.generation = ? and u.state = 'STORED' and (%2$s)
				   limit %3$s))""".formatted(this.effects, this.conditions.applied("u", stream), SOME),
				with(this.conditions.arguments(this.live, stream), this.live.base(), generation));
	}

	/**
	 * Decides about the effects of a generation that becomes live, in the transaction of
	 * the switch and before the letters are exchanged. The former one has settled all
	 * events that the next one has, so it has applied each of them, except the events of
	 * its letters.
	 * @param stream the source of the next generation; null for the event store
	 */
	public void exchange(ProjectorId next, @Nullable SourceStream stream) {
		String place = (stream != null) ? stream.stream() : EventPlace.EVENT_STORE;
		Object[] letters = { this.live.base(), this.live.base(), place };
		// By projection_effects_stored, then lookups in dead_letters_event.
		this.jdbc.update(
				"""
						delete from %s u
						 where u.projection_name = ? and u.generation = ? and u.state = 'STORED' and not (%s)"""
					.formatted(this.effects, this.conditions.hasLetter("u")),
				with(letters, this.live.base(), next.generation()));
		this.jdbc.update("update %s set state = 'DUE' where projection_name = ? and generation = ? and state = 'STORED'"
			.formatted(this.effects), this.live.base(), next.generation());
		settleLetters(next);
		forgetSettled(next);
	}

	/**
	 * Deletes the notes of letters that are closed, or that another generation has now.
	 */
	private int forgetSettled(ProjectorId letters) {
		// By the primary key, then a lookup per row in dead_letters_event.
		return this.jdbc.update("""
				delete from %s u where u.projection_name = ? and u.state = 'SETTLED'
				   and not exists (select from %s d where d.projector_name = ? and d.tenant_id = u.tenant_id
				                      and d.event_id = u.event_id and d.status in ('PARKED', 'REDRIVING') offset 0)"""
			.formatted(this.effects, this.conditions.letters()), this.live.base(), letters.inColumn());
	}

	/** Notes the letters of the next generation whose events the live one has applied. */
	private void settleLetters(ProjectorId next) {
		this.jdbc.update("""
				insert into %1$s (projection_name, generation, event_id, tenant_id, n, state)
				select ?, 0, u.event_id, u.tenant_id, 0, 'SETTLED'
				  from %2$s u
				 where u.projector_name = ? and u.status in ('PARKED', 'REDRIVING') and u.tenant_id <> ''
				   and not exists (select from %2$s d where d.projector_name = ? and d.tenant_id = u.tenant_id
				                      and d.event_id = u.event_id and d.status in ('PARKED', 'REDRIVING', 'DISCARDED'))
				   and not exists (select from %2$s d where d.projector_name = ? and d.tenant_id = ''
				                      and d.stream = u.stream and d.stream_sequence = u.stream_sequence
				                      and d.status in ('PARKED', 'REDRIVING', 'DISCARDED'))
				on conflict do nothing""".formatted(this.effects, this.conditions.letters()), this.live.base(),
				next.inColumn(), this.live.base(), this.live.base());
	}

	/**
	 * Notes the events of open letters, which a rebuild in place closes: the projector
	 * has not applied them. An event that was unreadable is found by its position.
	 */
	public void owe() {
		this.jdbc.update(
				"""
						insert into %1$s (projection_name, generation, event_id, tenant_id, n, state)
						select ?, 0, coalesce(e.event_id, d.event_id), coalesce(e.tenant_id, d.tenant_id), 0, 'OWED'
						  from %2$s d left join %3$s e on d.tenant_id = '' and d.stream = ? and e.global_position = d.stream_sequence
						 where d.projector_name = ? and d.status in ('PARKED', 'REDRIVING')
						   and coalesce(e.tenant_id, d.tenant_id) <> ''
						on conflict do nothing"""
					.formatted(this.effects, this.conditions.letters(), this.events),
				this.live.base(), EventPlace.EVENT_STORE, this.live.base());
	}

	/**
	 * Takes the notes of {@link #owe} of these events, and returns those that had one.
	 */
	public Set<Cause> takeOwed(Collection<Cause> causes) {
		Set<Cause> owed = find(causes, """
				exists (select from %s p
				         where p.projection_name = ? and p.event_id = u.event_id and p.tenant_id = u.tenant_id
				           and p.state = 'OWED' offset 0)""".formatted(this.effects), this.live.base());
		// By the primary key.
		this.jdbc.batchUpdate("""
				delete from %s where projection_name = ? and event_id = ? and tenant_id = ? and state = 'OWED'"""
			.formatted(this.effects), owed, Math.max(1, owed.size()), (row, cause) -> {
				row.setString(1, this.live.base());
				row.setObject(2, cause.eventId());
				row.setString(3, cause.tenantId().value());
			});
		return owed;
	}

	/**
	 * Ends a rebuild in place: the effects of its letters are settled, except those that
	 * are owed.
	 */
	public void filled() {
		this.jdbc.update("""
				insert into %1$s (projection_name, generation, event_id, tenant_id, n, state)
				select ?, 0, d.event_id, d.tenant_id, 0, 'SETTLED'
				  from %2$s d
				 where d.projector_name = ? and d.status in ('PARKED', 'REDRIVING') and d.tenant_id <> ''
				on conflict do nothing""".formatted(this.effects, this.conditions.letters()), this.live.base(),
				this.live.base());
		this.jdbc.update("delete from %s where projection_name = ? and state = 'OWED'".formatted(this.effects),
				this.live.base());
	}

	/** Whether some effects are due. By projection_effects_due. */
	public boolean hasDue() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(
				"select exists (select from %s where projection_name = ? and state = 'DUE')".formatted(this.effects),
				Boolean.class, this.live.base()));
	}

	/**
	 * The next effects that are due, in the order of their events.
	 * @param without streams of which none are wanted
	 */
	public List<Effect> due(int limit, Collection<EffectTarget> without) {
		return this.jdbc.query("""
				select event_id, tenant_id, sequence, n, effect_id, stream_id, event_type, occurred_at, payload::text,
				       metadata::text
				  from %s where projection_name = ? and state = 'DUE'
				   and (tenant_id, stream_id) not in (select * from unnest(?::text[], ?::text[]))
				 order by sequence, n limit ?""".formatted(this.effects), (row, number) -> effect(row),
				this.live.base(), without.stream().map((each) -> each.tenantId().value()).toArray(String[]::new),
				without.stream().map(EffectTarget::streamId).toArray(String[]::new), limit);
	}

	private static Effect effect(ResultSet row) throws SQLException {
		UUID event = Objects.requireNonNull(row.getObject(1, UUID.class));
		UUID effect = Objects.requireNonNull(row.getObject(5, UUID.class));
		return new Effect(new Cause(TenantId.of(row.getString(2)), event, row.getLong(3), effect), row.getInt(4),
				new EventColumns(effect, row.getString(6), row.getString(7),
						row.getObject(8, OffsetDateTime.class).toInstant(), row.getString(9), row.getString(10)));
	}

	/** Of these effects, those that the event store has. By events_event. */
	public Set<UUID> present(TenantId tenant, Collection<UUID> ids) {
		Set<UUID> present = new HashSet<>();
		this.jdbc.query("select event_id from %s where event_id = any (?) and tenant_id = ?".formatted(this.events),
				(row) -> {
					present.add(Objects.requireNonNull(row.getObject(1, UUID.class)));
				}, ids.toArray(UUID[]::new), tenant.value());
		return present;
	}

	/**
	 * Deletes effects that are due, in the transaction that appends them. Returns the
	 * effects that were still there.
	 */
	public List<Effect> take(List<Effect> due) {
		int[][] deleted = this.jdbc.batchUpdate("""
				delete from %s
				 where projection_name = ? and event_id = ? and tenant_id = ? and n = ? and state = 'DUE'"""
			.formatted(this.effects), due, Math.max(1, due.size()), (row, effect) -> {
				row.setString(1, this.live.base());
				row.setObject(2, effect.cause().eventId());
				row.setString(3, effect.cause().tenantId().value());
				row.setInt(4, effect.n());
			});
		return IntStream.range(0, due.size()).filter((at) -> deleted[0][at] > 0).mapToObj(due::get).toList();
	}

	/**
	 * Deletes some stored effects of generations that are gone, and notes of letters that
	 * are closed.
	 * @return the number of deleted rows; 0 if none are left
	 */
	public int sweep(Collection<ProjectorId> gone) {
		// By projection_effects_stored.
		String statement = """
				delete from %1$s where ctid = any (array(
				  select p.ctid from %1$s p
				   where p.projection_name = ? and p.generation = any (?) and p.state = 'STORED' limit %2$s))"""
			.formatted(this.effects, SOME);
		return forgetSettled(this.live) + this.jdbc.update(statement, this.live.base(),
				gone.stream().map(ProjectorId::generation).toArray(Integer[]::new));
	}

	private static Object[] with(Object[] last, Object... first) {
		Object[] all = new Object[first.length + last.length];
		System.arraycopy(first, 0, all, 0, first.length);
		System.arraycopy(last, 0, all, first.length, last.length);
		return all;
	}

}
