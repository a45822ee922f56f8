package dev.eventing.sdk.projection.ledger;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.deadletter.ledger.ScopeLetters;
import dev.eventing.sdk.deadletter.ledger.ScopeLetters.InStream;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The events that the rebuild of a part would apply, by the database. Runs in the
 * caller's transaction.
 */
final class ScopePreview {

	private static final String NODE = "Whether the projector declares what this part needs is known to its code alone: "
			+ "the node looks, and changes nothing if not.";

	private final JdbcClient jdbc;

	private final String events;

	private final ScopedStreams streams;

	private final ScopeLetters letters;

	/** Sends no query yet. */
	ScopePreview(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = JdbcClient.create(jdbc);
		this.events = schema.table("events");
		this.streams = new ScopedStreams(jdbc, schema, projector);
		this.letters = new ScopeLetters(jdbc, schema, projector);
	}

	/**
	 * Counts what would be applied, one sentence each.
	 * @param obstacles gets those that are found
	 */
	List<String> notes(ScopedRebuild part, List<String> obstacles) {
		List<String> notes = new ArrayList<>();
		RebuildScope scope = part.scope();
		try {
			if (scope instanceof RebuildScope.OfTenant of) {
				notes.add(note(part, of.describe(), count(of.tenant(), null, null, null, part), obstacles));
				notes.add(closing(this.letters.open(of.tenant(), null)));
			}
			else if (scope instanceof RebuildScope.Window window) {
				notes.add(note(part, window.describe(), count(window.tenant(), null, window.from(), window.to(), part),
						obstacles));
			}
			else {
				noteStreams(part, notes, obstacles);
			}
		}
		catch (RequestRefusedException ex) {
			return notes; // it is an obstacle that is known already
		}
		catch (QueryTimeoutException ex) {
			throw new RequestRefusedException("The event store cannot be counted in time. The request can be made.");
		}
		notes.add(NODE);
		return notes;
	}

	private void noteStreams(ScopedRebuild part, List<String> notes, List<String> obstacles) {
		for (InStream each : this.streams.of(part.scope())) {
			notes.add(note(part, "stream '" + each.stream() + "' of tenant '" + each.tenant() + "'",
					count(each.tenant(), each.stream(), null, null, part), obstacles));
			notes.add(closing(this.letters.open(each.tenant(), each.stream())));
		}
	}

	private static String note(ScopedRebuild part, String what, long events, List<String> obstacles) {
		if (events > part.mostEvents()) {
			obstacles.add("More than " + part.mostEvents() + " events are in " + what + ".");
			return "The events of " + what + " are more than one transaction may apply.";
		}
		return events + " events would be applied again of " + what + ", as far as a handler takes them.";
	}

	private static String closing(long letters) {
		return letters + " open dead letters would be resolved.";
	}

	/** By the primary key, or for a stream by {@code events_stream}. */
	private long count(@Nullable TenantId tenant, @Nullable String stream, @Nullable Instant from, @Nullable Instant to,
			ScopedRebuild part) {
		return this.jdbc
			.sql("""
					select count(*) from (
					  select from %s
					   where (:tenant::text is null or tenant_id = :tenant) and (:stream::text is null or stream_id = :stream)
					     and (:from::timestamptz is null or occurred_at >= :from)
					     and (:to::timestamptz is null or occurred_at < :to)
					   limit :most) counted"""
				.formatted(this.events))
			.param("tenant", new SqlParameterValue(Types.VARCHAR, (tenant != null) ? tenant.value() : null))
			.param("stream", new SqlParameterValue(Types.VARCHAR, stream))
			.param("from", time(from))
			.param("to", time(to))
			.param("most", part.mostEvents() + 1)
			.query(Long.class)
			.single();
	}

	private static SqlParameterValue time(@Nullable Instant time) {
		return new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE,
				(time != null) ? time.atOffset(ZoneOffset.UTC) : null);
	}

}
