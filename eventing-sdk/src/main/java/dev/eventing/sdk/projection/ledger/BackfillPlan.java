package dev.eventing.sdk.projection.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The plan of a backfill, read from the database before a node begins it. Runs in the
 * caller's transaction.
 */
final class BackfillPlan {

	/** The count may read the whole event store. */
	private static final String COUNT_LIMIT = "set local statement_timeout = '20s'";

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final PastPosition past;

	/** Sends no query yet. */
	BackfillPlan(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.past = new PastPosition(jdbc, schema);
	}

	/** Why a projector has no backfill, or null. By the primary keys. */
	@Nullable String refusal(String name, BackfillOptions options) {
		Optional<PastPosition.Source> source = this.past.source(name);
		if (source.isEmpty()) {
			return "Projector '" + name + "' has read no events yet, so it has none to apply later.";
		}
		if (source.get() == PastPosition.Source.STREAM) {
			return "Projector '" + name
					+ "' reads a stream of JetStream, and a backfill reads the event store. Consider a"
					+ " rebuild beside the live generation, or source = EVENT_STORE.";
		}
		if (new InlineLedger(this.jdbc, this.schema, ProjectorId.of(name)).find()
			.filter(InlineRow::isInline)
			.isPresent()) {
			return "Projector '" + name
					+ "' is inline: appends apply its events, and cannot wait for a backfill. Consider"
					+ " a rebuild beside the live generation.";
		}
		Long to = options.to();
		return (to != null) ? this.past.find(new Until.Position(to)).refusal() : null;
	}

	/**
	 * How many events of the types are stored, as sentences. Reads the event store up to
	 * the position, at most for 20 seconds.
	 */
	List<String> counts(BackfillOptions options) {
		if (options.types().isEmpty()) {
			return List.of("The handler's types are known to the node alone, so their events are not counted here.");
		}
		this.jdbc.execute(COUNT_LIMIT);
		List<String> counts = new ArrayList<>();
		JdbcClient.create(this.jdbc)
			.sql("""
					select t.type, count(e.event_type)
					  from unnest(:types) as t (type)
					  left join %s e on e.event_type = t.type and e.global_position <= coalesce(:to, 9223372036854775807)
					 group by t.type order by t.type"""
				.formatted(this.schema.table("events")))
			.param("types", options.types().toArray(String[]::new))
			.param("to", options.to())
			.query((row) -> {
				counts.add(String.format(Locale.ROOT, "%,d events of type '%s' are stored.", row.getLong(2),
						row.getString(1)));
			});
		return counts;
	}

}
