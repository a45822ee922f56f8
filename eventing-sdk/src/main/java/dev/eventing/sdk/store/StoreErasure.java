package dev.eventing.sdk.store;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Replaces the contents of a stream's events, and deletes its snapshots. Thread-safe.
 */
public final class StoreErasure implements ErasureStep {

	private static final String OF_STREAM = "tenant_id = :tenant and stream_id = :stream";

	private final String streams;

	private final String events;

	private final String table;

	private final ErasureStatement contents;

	private final ErasureStatement states;

	private final String mark;

	/** Sends no query yet. */
	public StoreErasure(EventingSchema schema) {
		this.streams = schema.table("streams");
		this.events = schema.table("events");
		this.table = schema.table("snapshots");
		// By events_stream. What a reader of the log and a relay need stays: position,
		// id, type, times, and the source, without which no event can be read.
		this.contents = ErasureStatement.setting("events", this.events,
				"payload = '{}', metadata = jsonb_build_object('source', coalesce(metadata ->> 'source', 'erased'),"
						+ " 'erased', true)",
				OF_STREAM + " and metadata -> 'erased' is null");
		// By the primary key, as the mark.
		this.states = ErasureStatement.deleting("snapshots", this.table, OF_STREAM + " and state_type <> ''");
		this.mark = """
				insert into %s (tenant_id, stream_id, state_type, version, state)
				select tenant_id, stream_id, '', version, '{}' from %s where %s
				on conflict (tenant_id, stream_id, state_type) do update
				   set version = excluded.version, taken_at = excluded.taken_at""".formatted(this.table, this.streams,
				OF_STREAM);
	}

	/** A query of the ids of the stream's events. By {@code events_stream}. */
	public String eventIds() {
		return "select event_id from %s where %s".formatted(this.events, OF_STREAM);
	}

	/** A query of the positions of the stream's events. By {@code events_stream}. */
	public String positions() {
		return "select global_position from %s where %s".formatted(this.events, OF_STREAM);
	}

	/**
	 * Locks the stream against appends until the transaction ends, and waits for those
	 * that are open. By the primary key.
	 * @return whether there is such a stream
	 */
	public boolean lock(ErasedStream stream, JdbcClient jdbc) {
		return jdbc.sql("select version from %s where %s for update".formatted(this.streams, OF_STREAM))
			.params(stream.params())
			.query(Long.class)
			.optional()
			.isPresent();
	}

	/** Whether there is such a stream. By the primary key. */
	public boolean exists(ErasedStream stream, JdbcClient jdbc) {
		return jdbc.sql("select version from %s where %s".formatted(this.streams, OF_STREAM))
			.params(stream.params())
			.query(Long.class)
			.optional()
			.isPresent();
	}

	@Override
	public Set<String> tables() {
		return Set.of("events", "snapshots");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("streams", "select", "update"), TableRights.of("events", "select", "update"),
				TableRights.of("snapshots", "select", "insert", "update", "delete"));
	}

	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		return List.of(this.contents, this.states);
	}

	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		List<ErasedCount> erased = ErasureStep.super.erase(stream, jdbc);
		jdbc.sql(this.mark).params(stream.params()).update();
		return erased;
	}

}
