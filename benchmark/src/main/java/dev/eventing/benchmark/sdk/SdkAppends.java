package dev.eventing.benchmark.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Appends events to the event store, a number in each transaction. Nothing reads them.
 */
public final class SdkAppends implements AutoCloseable {

	private final AnnotationConfigApplicationContext context;

	private final int threads;

	private final int perTransaction;

	/** Makes all ready. */
	public SdkAppends(String natsUrl, String jdbcUrl, int poolSize, int threads, int perTransaction) {
		this.context = SdkApplication.ready(natsUrl, jdbcUrl, poolSize, Map.of(), (application) -> {
		});
		this.threads = threads;
		this.perTransaction = perTransaction;
	}

	/**
	 * Appends the events, or a few less, so that each thread has as many and no
	 * transaction is smaller.
	 * @return how many
	 */
	public int append(int events) throws Exception {
		int transactions = Math.max(1, events / this.threads / this.perTransaction);
		ExecutorService workers = Executors.newFixedThreadPool(this.threads);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int thread = 0; thread < this.threads; thread++) {
				int first = thread;
				all.add(workers.submit(() -> append(first, transactions)));
			}
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			workers.shutdownNow();
		}
		return transactions * this.threads * this.perTransaction;
	}

	/**
	 * Each thread has its own accounts: a wait for another's lock would prove nothing.
	 */
	private void append(int thread, int transactions) {
		Appender appender = new Appender(this.context);
		List<NewEvent> events = new ArrayList<>(this.perTransaction);
		for (AccountChange change : AccountChanges.of(transactions * this.perTransaction)) {
			events.add(NewEvent.of(change.payload()));
			if (events.size() == this.perTransaction) {
				appender.append(change.streamId() + "-" + thread, events);
				events.clear();
			}
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

}
