package dev.eventing.sdk.relay;

import java.util.Map;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventLog;

import org.springframework.jdbc.core.JdbcTemplate;

/** The audit of a relay, for tests of other packages. */
public final class RelayLooks {

	private RelayLooks() {
	}

	/**
	 * The position after which the relay would publish.
	 * @param givenAgain streams that have lost their end, with the first sequence that
	 * each has given again
	 */
	public static long resume(RelayOptions options, NatsClient client, DataSource dataSource,
			Map<String, Long> givenAgain) {
		EventingSchema schema = EventingSchema.defaults();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		return new RelayAudit(options, new StreamTails(client), new EventLog(dataSource, schema, EventJson.mapper()),
				new JdbcRelayPositions(jdbc, schema, options.name()), new LateEvents(jdbc, schema, options.name()),
				new PrunedHistory(jdbc, schema))
			.resume(givenAgain)
			.position();
	}

}
