package dev.eventing.benchmark.sdk;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Stopwatch;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An application that appends, relays and projects. An event's latency goes from before
 * the transaction that appends it begins to after the one that changed the read model has
 * committed, both by this JVM's clock.
 */
public final class SdkLatency implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final long LOOK_NANOS = 1_000_000;

	private final AnnotationConfigApplicationContext context;

	private final Map<UUID, Long> appended = new ConcurrentHashMap<>();

	private final Map<UUID, Long> visible = new ConcurrentHashMap<>();

	/** Makes all ready; the stream is there already. */
	public SdkLatency(String natsUrl, String jdbcUrl, int poolSize, String name) {
		this.context = SdkApplication.ready(natsUrl, jdbcUrl, poolSize,
				Map.of("projector", name, "subject", StoredChanges.SUBJECT), (application) -> {
					application.registerBean(RelayOptions.class, () -> RelayOptions.named(name));
					application.registerBean(ObservedHandler.class,
							() -> new ObservedHandler(application.getBean(JdbcTemplate.class), this.visible));
				});
	}

	/**
	 * Appends events at a rate that does not depend on their progress, and waits until
	 * all are visible.
	 */
	public Latencies run(int events, int perSecond) throws TimeoutException {
		this.context.start();
		try (Stopwatch watch = Stopwatch.start()) {
			append(events, perSecond);
			return latencies(watch);
		}
	}

	private void append(int events, int perSecond) throws TimeoutException {
		Appender appender = new Appender(this.context);
		long interval = Duration.ofSeconds(1).toNanos() / perSecond;
		long next = System.nanoTime();
		for (AccountChange change : AccountChanges.of(events)) {
			next += interval;
			sleepUntil(next);
			this.appended.put(change.id(), System.nanoTime());
			appender.append(change.streamId(), List.of(NewEvent.of(change.payload()).withId(change.id())));
		}
		awaitVisible();
	}

	private Latencies latencies(Stopwatch watch) {
		return Latencies.ofNanos(this.appended.entrySet()
			.stream()
			.mapToLong((entry) -> this.visible.getOrDefault(entry.getKey(), Long.MAX_VALUE) - entry.getValue())
			.toArray(), watch.late());
	}

	private void awaitVisible() throws TimeoutException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (this.visible.size() < this.appended.size()) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException("Only " + this.visible.size() + " of " + this.appended.size()
						+ " events are visible. Consider a look at the log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	static void sleepUntil(long nanos) {
		long left = nanos - System.nanoTime();
		while (left > 0) {
			LockSupport.parkNanos(left);
			left = nanos - System.nanoTime();
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** A plain handler that notes when its transaction has committed. */
	static class ObservedHandler {

		private final JdbcTemplate jdbc;

		private final Map<UUID, Long> visible;

		ObservedHandler(JdbcTemplate jdbc, Map<UUID, Long> visible) {
			this.jdbc = jdbc;
			this.visible = visible;
		}

		@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}")
		void on(AccountChanged event, UUID eventId, String tenantId) {
			this.jdbc.update(ReadModel.UPDATE, event.amount(), event.change(), event.account());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					ObservedHandler.this.visible.put(eventId, System.nanoTime());
				}

			});
		}

	}

}
