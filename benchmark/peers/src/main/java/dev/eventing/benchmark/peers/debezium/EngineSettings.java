package dev.eventing.benchmark.peers.debezium;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.eventing.benchmark.contender.OutboxEvent;

/**
 * The tuned settings.
 *
 * @param maxBatchSize events handed over at once
 * @param maxQueueSize events read ahead
 * @param pollInterval how long a batch that is not full waits for more
 */
record EngineSettings(int maxBatchSize, int maxQueueSize, Duration pollInterval) {

	/** The connector takes these parts of a URL one by one. */
	private static final Pattern JDBC_URL = Pattern
		.compile("//(?<host>[^:/]+):(?<port>\\d+)/(?<database>[^?]+)\\?(?:.*&)?user=(?<user>[^&]+)");

	/** The connector's defaults. */
	static EngineSettings defaults() {
		return new EngineSettings(2048, 8192, Duration.ofMillis(500));
	}

	/** A short wait for more, since it is added to each event's latency. */
	static EngineSettings tuned() {
		return new EngineSettings(2048, 8192, Duration.ofMillis(5));
	}

	/**
	 * The properties of an engine.
	 * @param name of the engine, the slot and the publication
	 * @param jdbcUrl the database
	 * @param offsets where it keeps its offsets
	 */
	Properties properties(String name, String jdbcUrl, Path offsets) {
		Properties properties = new Properties();
		properties.setProperty("name", name);
		properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
		properties.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
		properties.setProperty("offset.storage.file.filename", offsets.toString());
		properties.setProperty("topic.prefix", name);
		properties.setProperty("max.batch.size", String.valueOf(this.maxBatchSize));
		properties.setProperty("max.queue.size", String.valueOf(this.maxQueueSize));
		properties.setProperty("poll.interval.ms", String.valueOf(this.pollInterval.toMillis()));
		// They cannot keep up with a backlog, and say so for each event.
		properties.setProperty("statistics.metrics.enabled", "false");
		database(properties, name, jdbcUrl);
		eventRouter(properties);
		return properties;
	}

	private static void database(Properties properties, String name, String jdbcUrl) {
		Matcher address = JDBC_URL.matcher(jdbcUrl);
		if (!address.find()) {
			throw new IllegalArgumentException(
					"'%s' is not jdbc:postgresql://host:port/database?user=name.".formatted(jdbcUrl));
		}
		properties.setProperty("database.hostname", address.group("host"));
		properties.setProperty("database.port", address.group("port"));
		properties.setProperty("database.dbname", address.group("database"));
		properties.setProperty("database.user", address.group("user"));
		properties.setProperty("plugin.name", "pgoutput");
		properties.setProperty("slot.name", name);
		properties.setProperty("publication.name", name);
		properties.setProperty("publication.autocreate.mode", "disabled");
		properties.setProperty("table.include.list", "public.outbox");
		properties.setProperty("snapshot.mode", "no_data");
	}

	/** The id of an event becomes JetStream's, so that it stores none twice. */
	private static void eventRouter(Properties properties) {
		String account = OutboxEvent.SUBJECT.substring(0, OutboxEvent.SUBJECT.indexOf('.'));
		properties.setProperty("transforms", "outbox");
		properties.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
		properties.setProperty("transforms.outbox.route.topic.replacement",
				"${routedByValue}" + OutboxEvent.SUBJECT.substring(account.length()));
		properties.setProperty("transforms.outbox.table.fields.additional.placement",
				"id:header:" + ToJetStream.MESSAGE_ID);
	}

}
