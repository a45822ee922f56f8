package dev.eventing.samples.benchmark.sdk;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

import dev.eventing.migrations.EventingMigrations;
import dev.eventing.samples.benchmark.contender.AccountChanged;
import dev.eventing.samples.benchmark.contender.OutboxEvent;
import dev.eventing.samples.benchmark.contender.RelayContender;
import dev.eventing.samples.benchmark.contender.RelayRound;
import dev.eventing.samples.benchmark.contender.Side;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.NewEvent;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A relay of the SDK with its defaults. */
public final class SdkRelay implements RelayContender {

	/** Its id. */
	public static final String ID = "sdk-relay";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public String title() {
		return "SDK: relay, defaults";
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
		AnnotationConfigApplicationContext context = SdkApplication.ready(round.natsUrl(), round.jdbcUrl(),
				round.poolSize(), Map.of(),
				(application) -> application.registerBean(RelayOptions.class, () -> RelayOptions.named(round.name())));
		return new Run(context, new Appender(context), round.jdbcUrl());
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
