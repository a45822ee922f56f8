package dev.eventing.benchmark.peers.axon;

import java.sql.SQLException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.zaxxer.hikari.HikariDataSource;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.TrackingEventProcessor;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.JdbcTokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.PostgresTokenTableFactory;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.json.JacksonSerializer;
import org.axonframework.spring.jdbc.SpringDataSourceConnectionProvider;
import org.axonframework.spring.messaging.unitofwork.SpringTransactionManager;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import dev.eventing.benchmark.contender.ProjectorContender.Projection;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.peers.Progress;

/** An application with one event processor, whose event store is full. */
final class AxonApplication implements Projection {

	private final HikariDataSource database = new HikariDataSource();

	private final Progress progress;

	private final Configuration configuration;

	private final String name;

	private final int segments;

	AxonApplication(ProjectorRound round, Processor processor, Processor.Batches batches) {
		this.database.setJdbcUrl(round.jdbcUrl());
		this.database.setMaximumPoolSize(round.poolSize());
		this.progress = new Progress(round.events());
		this.name = round.projector();
		this.segments = batches.segments();
		ConnectionProvider connections = new SpringDataSourceConnectionProvider(this.database);
		TransactionManager transactions = new SpringTransactionManager(new DataSourceTransactionManager(this.database));
		Serializer json = JacksonSerializer.builder()
			.objectMapper(new ObjectMapper().registerModule(new JavaTimeModule()))
			.build();
		AxonEventStore store = new AxonEventStore(connections, transactions, json, batches.perRead());
		JdbcTokenStore tokens = JdbcTokenStore.builder().connectionProvider(connections).serializer(json).build();
		transactions.executeInTransaction(() -> {
			store.create();
			tokens.createSchema(PostgresTokenTableFactory.INSTANCE);
		});
		store.fill(round.changes());
		this.configuration = DefaultConfigurer.defaultConfiguration()
			.configureTransactionManager((axon) -> transactions)
			.configureSerializer((axon) -> json)
			.configureEmbeddedEventStore((axon) -> store.engine())
			.registerComponent(TokenStore.class, (axon) -> tokens)
			.eventProcessing((processing) -> {
				processing.byDefaultAssignTo(round.projector());
				processing
					.registerEventHandler((axon) -> processor.handler(new JdbcTemplate(this.database), this.progress));
				// The default logs an error and continues: the event would be lost.
				processing.registerDefaultListenerInvocationErrorHandler((axon) -> PropagatingErrorHandler.instance());
				processor.register(processing, round.projector(), batches);
			})
			.buildConfiguration();
	}

	@Override
	public void run() throws SQLException, InterruptedException {
		this.configuration.start();
		this.progress.awaitCommitted(this.database);
	}

	/**
	 * Lets the processor be one that has met the last event, and resets it to the first.
	 */
	void reset() {
		this.configuration.start();
		EventStore store = this.configuration.eventStore();
		TokenStore tokens = this.configuration.getComponent(TokenStore.class);
		this.configuration.getComponent(TransactionManager.class)
			.executeInTransaction(
					() -> tokens.initializeTokenSegments(this.name, this.segments, store.createHeadToken()));
		processor().resetTokens(store.createTailToken());
	}

	/** Starts the processor, and returns when it has handled all events again. */
	void replay() throws SQLException, InterruptedException {
		processor().start();
		this.progress.awaitCommitted(this.database);
	}

	private TrackingEventProcessor processor() {
		return this.configuration.eventProcessingConfiguration()
			.eventProcessor(this.name, TrackingEventProcessor.class)
			.orElseThrow();
	}

	@Override
	public void close() {
		this.configuration.shutdown();
		this.database.close();
	}

}
