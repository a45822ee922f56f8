package dev.eventing.sdk.store;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * States of streams at some version, so that a load need not start from the first event.
 * Only a cache: a row may be deleted at any time. Each call joins the caller's
 * transaction if there is one. Thread-safe.
 */
public final class Snapshots {

	private static final Logger logger = LoggerFactory.getLogger(Snapshots.class);

	/**
	 * By the primary key. A save that comes too late changes nothing. While two versions
	 * of a fold run, each replaces what the other saved. Nothing is saved that was folded
	 * before contents of the stream were erased: it may have them. The time is taken now,
	 * so it is after that of the last event.
	 */
	private static final String SAVE = """
			insert into %1$s as s (tenant_id, stream_id, state_type, fold_version, version, state, taken_at)
			select ?, ?, ?, ?, ?, ?::jsonb, clock_timestamp()
			 where not exists (select from %1$s e
			                    where e.tenant_id = ? and e.stream_id = ? and e.state_type = '' and e.version >= ?)
			on conflict (tenant_id, stream_id, state_type) do update
			   set fold_version = excluded.fold_version, version = excluded.version, state = excluded.state,
			       taken_at = excluded.taken_at
			 where s.fold_version <> excluded.fold_version or s.version < excluded.version
			    or s.taken_at = cast(? as timestamptz)
			""";

	/**
	 * By the primary key, and by {@code events_stream}. A stream that was deleted and
	 * made again has no event of this version, or one that came later.
	 */
	private static final String FIND = """
			select s.version, s.state::text, s.taken_at,
			       exists (select from %2$s e where e.tenant_id = s.tenant_id and e.stream_id = s.stream_id
			                  and e.stream_version = s.version and e.recorded_at <= s.taken_at)
			  from %1$s s
			 where s.tenant_id = ? and s.stream_id = ? and s.state_type = ? and s.fold_version = ?
			""";

	/**
	 * By the primary key. Waits for an erasure, which locks the row for update, and for
	 * no append.
	 */
	private static final String SHARE = "select version from %s where tenant_id = ? and stream_id = ? for key share";

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	private final JdbcTemplate jdbc;

	private final DataSource dataSource;

	private final TransactionTemplate transaction;

	private final JsonMapper mapper;

	private final String save;

	private final String find;

	private final String share;

	Snapshots(DataSource dataSource, EventingSchema schema, JsonMapper mapper) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.dataSource = dataSource;
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		// If the state's class has gained or lost a property, reading must fail instead
		// of using null. So nulls must be written, to distinguish them from missing
		// properties.
		this.mapper = mapper.rebuild()
			.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
			.changeDefaultPropertyInclusion(
					(any) -> JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
			.build();
		this.save = SAVE.formatted(schema.table("snapshots"));
		this.find = FIND.formatted(schema.table("snapshots"), schema.table("events"));
		this.share = SHARE.formatted(schema.table("streams"));
	}

	/**
	 * Stores the state, unless the same version of the fold has stored one of this or a
	 * later version of the stream, or the contents of the stream were erased up to this
	 * version or a later one. Waits for an erasure of the stream that is under way.
	 * @param version above 0
	 * @return whether it was stored
	 * @throws PayloadWritingException if the state cannot be written as JSON that
	 * PostgreSQL can store; nothing was sent to the database
	 */
	public <S> boolean save(TenantId tenantId, String streamId, Fold<S> fold, long version, S state) {
		Due due = due(fold, version, state, null);
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.hasResource(this.dataSource)) {
			return saveAlone(tenantId, streamId, due);
		}
		return Boolean.TRUE.equals(this.transaction.execute((status) -> saveAlone(tenantId, streamId, due)));
	}

	/**
	 * An erasure that is under way may have deleted the snapshots, and its mark is not
	 * visible yet.
	 */
	private boolean saveAlone(TenantId tenantId, String streamId, Due due) {
		this.jdbc.query(this.share, (row) -> {
		}, tenantId.value(), streamId);
		return save(tenantId, streamId, due);
	}

	/** Stores what is due, in a transaction that has locked the stream's row. */
	boolean save(TenantId tenantId, String streamId, Due due) {
		return this.jdbc.update(this.save, tenantId.value(), streamId, due.fold().name(), due.fold().version(),
				due.version(), due.json(), tenantId.value(), streamId, due.version(), due.replaces()) > 0;
	}

	/**
	 * A state as it is now, to be stored later.
	 * @param replaces when a snapshot was taken that this one replaces in any case, or
	 * null
	 * @throws PayloadWritingException if the state cannot be stored
	 */
	<S> Due due(Fold<S> fold, long version, S state, @Nullable OffsetDateTime replaces) {
		return new Due(fold, version, json(fold, state), replaces);
	}

	/**
	 * The latest state that this version of the fold has stored. Also empty if it no
	 * longer fits the state's class, which is logged once; or if it is of events that the
	 * stream does not have, because somebody has deleted them.
	 */
	public <S> Optional<Snapshot<S>> find(TenantId tenantId, String streamId, Fold<S> fold) {
		return Optional.ofNullable(look(tenantId, streamId, fold).snapshot());
	}

	/** As {@link #find}. */
	<S> Found<S> look(TenantId tenantId, String streamId, Fold<S> fold) {
		List<Found<S>> found = this.jdbc.query(this.find, (row, number) -> found(fold, row), tenantId.value(), streamId,
				fold.name(), fold.version());
		return found.isEmpty() ? Found.none() : found.get(0);
	}

	private <S> Found<S> found(Fold<S> fold, ResultSet row) throws SQLException {
		if (!row.getBoolean(4)) {
			return new Found<>(null, row.getObject(3, OffsetDateTime.class));
		}
		S state = bound(fold, row.getString(2));
		return (state != null) ? new Found<>(new Snapshot<>(state, row.getLong(1)), null) : Found.none();
	}

	private <S> @Nullable S bound(Fold<S> fold, String json) {
		try {
			return this.mapper.readValue(json, fold.stateType());
		}
		catch (RuntimeException ex) {
			// Thrown by Jackson or by code of the state itself. Both messages may quote
			// the state.
			if (this.reported.add(fold.name())) {
				logger.warn(
						"Snapshots of {} do not fit '{}' ({}): such streams are folded from their first event on, "
								+ "until a new snapshot is taken. This is logged once.",
						Quoted.of(fold.name()), fold.stateType().getName(), ex.getClass().getSimpleName());
			}
			return null;
		}
	}

	private <S> String json(Fold<S> fold, S state) {
		try {
			return StorableJson.of(this.mapper.writeValueAsString(state).getBytes(StandardCharsets.UTF_8));
		}
		catch (StorableJson.Refused ex) {
			throw unstorable(fold, ex.problem());
		}
		catch (JacksonException ex) {
			throw unstorable(fold, "cannot be written as JSON (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private static PayloadWritingException unstorable(Fold<?> fold, String problem) {
		return new PayloadWritingException("A snapshot of " + Quoted.of(fold.name()) + " cannot be stored: it "
				+ problem + ". Consider a fold without snapshots.");
	}

	/**
	 * The snapshot of a stream.
	 *
	 * @param snapshot null if there is none that is of use
	 * @param foreign when the snapshot was taken that is of events which the stream does
	 * not have; null if there is none
	 */
	record Found<S>(@Nullable Snapshot<S> snapshot, @Nullable OffsetDateTime foreign) {

		static <S> Found<S> none() {
			return new Found<>(null, null);
		}

	}

	/**
	 * A snapshot to be stored.
	 *
	 * @param json its state
	 * @param replaces when a snapshot was taken that it replaces in any case, or null
	 */
	record Due(Fold<?> fold, long version, String json, @Nullable OffsetDateTime replaces) {

		/** Omits the state, which may be confidential. */
		@Override
		public String toString() {
			return "Due[" + this.fold.name() + " at version " + this.version + "]";
		}

	}

}
