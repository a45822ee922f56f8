package dev.eventing.benchmark.peers.micronaut;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import javax.sql.DataSource;

import io.micronaut.context.ApplicationContext;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorContender.Projection;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.peers.Progress;

/** A Micronaut application with one consumer. */
final class MicronautApplication implements Projection {

	static final String STREAM = "benchmark.stream";

	static final String SUBJECT = "benchmark.subject";

	static final String PROJECTOR = "benchmark.projector";

	static final String CONSUMER = "benchmark.consumer";

	private final HikariDataSource readModel = new HikariDataSource();

	private final Progress progress;

	private final ApplicationContext context;

	/**
	 * Starts it; it waits for {@link #run()}.
	 * @param consumer {@code push} or {@code pull}
	 */
	MicronautApplication(ProjectorRound round, String consumer) throws SQLException {
		this.readModel.setJdbcUrl(round.jdbcUrl());
		this.readModel.setMaximumPoolSize(1);
		createProcessedEvents(this.readModel);
		this.progress = new Progress(round.events());
		this.context = ApplicationContext.builder()
			.deduceEnvironment(false)
			.banner(false)
			.singletons(this.progress)
			.properties(Map.ofEntries(Map.entry("micronaut.application.name", "accounts"),
					Map.entry("nats.default.addresses", round.natsUrl()),
					Map.entry("nats.default.jetstream.request-timeout", "10s"),
					Map.entry("datasources.default.url", round.jdbcUrl()),
					Map.entry("datasources.default.driver-class-name", "org.postgresql.Driver"),
					Map.entry("datasources.default.maximum-pool-size", String.valueOf(round.poolSize())),
					Map.entry(STREAM, round.stream()), Map.entry(SUBJECT, round.subject()),
					Map.entry(PROJECTOR, round.projector()), Map.entry(CONSUMER, consumer)))
			.start();
	}

	/** Of the same shape as the SDK's table. */
	private static void createProcessedEvents(DataSource database) throws SQLException {
		try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("""
					create table processed_event (
					  projector    text        not null,
					  event_id     uuid        not null,
					  tenant_id    text        not null,
					  processed_at timestamptz not null default now(),
					  primary key (projector, event_id, tenant_id)
					)""");
		}
	}

	@Override
	public void run() throws SQLException, InterruptedException {
		this.context.getBean(StartSignal.class).give();
		this.progress.awaitCommitted(this.readModel);
	}

	@Override
	public void close() {
		this.context.close();
		this.readModel.close();
	}

}
