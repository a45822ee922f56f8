package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removes the events of a stream from what relays could not publish, and tells which
 * messages of JetStream have their contents. Thread-safe.
 */
public final class RelayErasure implements ErasureStep {

	private final String relays;

	private final String positions;

	private final String streams;

	private final String events;

	private final String leases;

	private final ErasureStatement refusals;

	/** Sends no query yet. */
	public RelayErasure(EventingSchema schema) {
		this.relays = schema.table("relays");
		this.positions = schema.table("relay_positions");
		this.streams = schema.table("relay_streams");
		this.events = schema.table("events");
		this.leases = schema.table("leases");
		// All of the stream's events are erased, so nothing waits behind one of them.
		this.refusals = ErasureStatement.deleting("events that a relay could not publish",
				schema.table("relay_refusals"), "tenant_id = :tenant and stream_id = :stream");
	}

	@Override
	public Set<String> tables() {
		return Set.of("relay_refusals");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("relay_refusals", "select", "delete"),
				TableRights.of("relays", "select", "update"), TableRights.of("relay_streams", "select"),
				TableRights.of("relay_positions", "select"), TableRights.of("leases", "select"));
	}

	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		return List.of(this.refusals);
	}

	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		if (this.refusals.plan(stream, jdbc).count() > 0) {
			// the lock of the refusals, and the news for the relays that publish
			jdbc.sql("select relay_name from %s order by relay_name for update".formatted(this.relays))
				.query(String.class)
				.list();
			jdbc.sql("update %s set refusals_changed = refusals_changed + 1".formatted(this.relays)).update();
		}
		return ErasureStep.super.erase(stream, jdbc);
	}

	@Override
	public List<String> outside(ErasedStream stream, JdbcClient jdbc) {
		List<String> types = jdbc
			.sql("select distinct event_type from %s where global_position in (%s) order by 1".formatted(this.events,
					stream.positions()))
			.params(stream.params())
			.query(String.class)
			.list();
		List<String> statements = new ArrayList<>();
		jdbc.sql("""
				select r.relay_name, r.subjects, s.stream from %s r join %s s using (relay_name)
				 where r.subjects is not null order by 1, 3""".formatted(this.relays, this.streams)).query((row) -> {
			EventSubjects subjects = EventSubjects.of(row.getString(2));
			for (String type : types) {
				purge(row.getString(3), subjects, stream, type).ifPresent(statements::add);
			}
		});
		return statements.stream().distinct().toList();
	}

	private static Optional<String> purge(String jetStream, EventSubjects subjects, ErasedStream stream, String type) {
		Event<String> event = Event.builder(TenantId.of(stream.tenantId()), "")
			.type(type)
			.source("erasure")
			.streamId(stream.streamId())
			.build();
		try {
			String purge = "nats stream purge " + jetStream + " --subject '" + subjects.subjectOf(event) + "'";
			return Optional.of(subjects.toString().contains("{stream}") ? purge
					: purge + " # other streams have events there, too");
		}
		catch (InvalidSubjectException ex) {
			return Optional.empty(); // no relay could publish it
		}
	}

	/**
	 * The relays that run, and have not passed the last of the events: they may have read
	 * it before. By the primary keys.
	 */
	@Override
	public List<String> pending(ErasedStream stream, JdbcClient jdbc) {
		return jdbc.sql("""
				select r.relay_name
				  from %s r join %s l on l.lease_name = 'relay/' || r.relay_name and l.expires_at > clock_timestamp()
				 where (select p.position from %s p where p.relay_name = r.relay_name order by p.revision desc limit 1)
				       < (select max(e.global_position) from %s e where e.global_position in (%s))
				 order by 1""".formatted(this.relays, this.leases, this.positions, this.events, stream.positions()))
			.params(stream.params())
			.query((row, number) -> "Relay '" + row.getString(1) + "' has not passed the last of the events yet.")
			.list();
	}

}
