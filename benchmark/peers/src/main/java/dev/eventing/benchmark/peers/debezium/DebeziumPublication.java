package dev.eventing.benchmark.peers.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import com.zaxxer.hikari.HikariDataSource;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.nats.client.Connection;
import io.nats.client.Nats;
import org.apache.kafka.connect.source.SourceRecord;

import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender.Publication;
import dev.eventing.benchmark.contender.RelayRound;

/** An outbox table and the engine that reads it, on its own thread. */
final class DebeziumPublication implements Publication {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

	/** Of the publication, the slot and the engine. */
	private final String name;

	private final HikariDataSource database = new HikariDataSource();

	private final OutboxTable table;

	private final Connection nats;

	private final Path offsets;

	private final DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final CountDownLatch started = new CountDownLatch(1);

	DebeziumPublication(RelayRound round, EngineSettings settings) throws IOException, InterruptedException {
		// A slot takes no dashes.
		this.name = round.name().replace('-', '_');
		this.database.setJdbcUrl(round.jdbcUrl());
		this.database.setMaximumPoolSize(round.poolSize());
		this.table = new OutboxTable(this.database);
		this.table.create(this.name);
		this.nats = Nats.connect(round.natsUrl());
		this.offsets = Files.createTempFile("debezium", ".offsets");
		this.engine = DebeziumEngine.create(Connect.class)
			.using(settings.properties(this.name, round.jdbcUrl(), this.offsets))
			.notifying(new ToJetStream(this.nats.jetStream(), this.started))
			.build();
		this.thread.execute(this.engine);
		await("reads slot", () -> this.table.isRead(this.name));
	}

	@Override
	public void append(List<OutboxEvent> events) {
		this.table.insert(events);
	}

	@Override
	public void start() {
		this.started.countDown();
	}

	@Override
	public void close() {
		this.started.countDown();
		try {
			this.engine.close();
			stop(this.thread);
			await("let go of slot", () -> !this.table.isRead(this.name));
			this.table.dropSlotAndPublication(this.name);
			this.nats.close();
			this.database.close();
			Files.deleteIfExists(this.offsets);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void stop(ExecutorService thread) throws InterruptedException {
		thread.shutdown();
		if (!thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new IllegalStateException("The engine did not end within " + PATIENCE + ". Consider its log.");
		}
	}

	private void await(String what, BooleanSupplier done) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!done.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException(
						"Within %s the engine has not %s '%s'. Consider its log.".formatted(PATIENCE, what, this.name));
			}
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
		}
	}

}
