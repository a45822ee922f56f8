package dev.eventing.benchmark.peers.namastack;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.partition.PartitionCoordinator;
import io.namastack.outbox.partition.PartitionHasher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender.Publication;
import dev.eventing.benchmark.contender.RelayRound;

/** An application whose poller stands still until it is started. */
final class NamastackPublication implements Publication {

	static final int LARGEST_BACKLOG = 40_000;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

	private final ConfigurableApplicationContext context;

	private final OutboxProcessingScheduler poller;

	private final Outbox outbox;

	private final TransactionTemplate transactions;

	NamastackPublication(RelayRound round, OutboxSettings settings) {
		this.context = new SpringApplicationBuilder(OutboxApplication.class).web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(settings.ofRound(round))
			.run("--spring.main.banner-mode=off");
		this.poller = this.context.getBean(OutboxProcessingScheduler.class);
		this.poller.stop();
		this.outbox = this.context.getBean(Outbox.class);
		this.transactions = new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
		awaitPartitions(this.context.getBean(PartitionCoordinator.class));
	}

	/** An instance polls for nothing before it owns the partitions. */
	private static void awaitPartitions(PartitionCoordinator partitions) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (partitions.getAssignedPartitionNumbers().size() < PartitionHasher.TOTAL_PARTITIONS) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("The instance owns %d of %d partitions after %s. Consider its log."
					.formatted(partitions.getAssignedPartitionNumbers().size(), PartitionHasher.TOTAL_PARTITIONS,
							PATIENCE));
			}
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
		}
	}

	@Override
	public void append(List<OutboxEvent> events) {
		this.transactions.executeWithoutResult(
				(transaction) -> events.forEach((event) -> this.outbox.schedule(event, event.streamId())));
	}

	@Override
	public void start() {
		this.poller.start();
	}

	@Override
	public void close() {
		this.context.close();
	}

}
