package dev.eventing.benchmark.sdk;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.NewEvent;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A relay of the SDK, with its defaults but for the mode.
 *
 * @param mode how it publishes
 */
public record SdkRelay(PublishMode mode) implements RelayContender {

	@Override
	public String id() {
		return (this.mode == PublishMode.ATOMIC) ? "sdk-relay-atomic" : "sdk-relay";
	}

	@Override
	public String title() {
		return "SDK: relay, " + ((this.mode == PublishMode.ATOMIC) ? "atomic batches" : "defaults");
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public Publication prepare(RelayRound round) throws Exception {
		try (Connection connection = DriverManager.getConnection(round.jdbcUrl());
				Statement statement = connection.createStatement()) {
			statement.execute(EventingMigrations.sql("eventing"));
		}
		if (this.mode == PublishMode.ATOMIC) {
			allowAtomicBatches(round);
		}
		AnnotationConfigApplicationContext context = SdkApplication.ready(round.natsUrl(), round.jdbcUrl(),
				round.poolSize(), Map.of(), (application) -> application.registerBean(RelayOptions.class,
						() -> RelayOptions.named(round.name()).with(this.mode)));
		return new Run(context, new Appender(context), round.jdbcUrl());
	}

	private static void allowAtomicBatches(RelayRound round) throws Exception {
		var nats = Nats.connect(round.natsUrl());
		try {
			JetStreamManagement management = nats.jetStreamManagement();
			StreamConfiguration configured = management.getStreamInfo(round.stream()).getConfiguration();
			management.updateStream(StreamConfiguration.builder(configured).allowAtomicPublish().build());
		}
		finally {
			nats.close();
		}
	}

	private record Run(AnnotationConfigApplicationContext context, Appender appender,
			String jdbcUrl) implements Publication {

		private static final JsonMapper JSON = EventJson.mapper();

		@Override
		public void append(List<OutboxEvent> events) {
			this.appender.append(events.get(0).streamId(), events.stream().map(Run::event).toList());
		}

		private static NewEvent event(OutboxEvent event) {
			return NewEvent.of(JSON.readValue(event.json(), AccountChanged.class)).withId(event.id());
		}

		@Override
		public void fill(List<OutboxEvent> events) throws SQLException {
			StoredChanges.insert(this.jdbcUrl, events);
		}

		@Override
		public void start() {
			this.context.start();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
