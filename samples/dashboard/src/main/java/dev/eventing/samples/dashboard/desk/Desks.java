package dev.eventing.samples.dashboard.desk;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.samples.dashboard.DashboardProperties;
import dev.eventing.samples.dashboard.house.House;
import dev.eventing.samples.dashboard.house.Resource;
import dev.eventing.sdk.store.EventStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The desks of both houses. They are open while the application runs, and continue after
 * each failure. Thread-safe.
 */
@Component
@Profile("web")
public class Desks implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Desks.class);

	private static final int THREADS = 2;

	private static final long ROUND_MILLIS = 200;

	private static final long SEED = 8;

	private final List<Desk> desks = new ArrayList<>();

	private final int eventsPerRound;

	private volatile @Nullable ScheduledExecutorService timer;

	private volatile boolean closed;

	private final AtomicBoolean failing = new AtomicBoolean();

	Desks(DashboardProperties properties, EventStore store, PlatformTransactionManager transactions) {
		TransactionTemplate transaction = new TransactionTemplate(transactions);
		Random seeds = new Random(SEED);
		for (House house : House.ALL) {
			for (Resource resource : house.resources()) {
				this.desks.add(new Desk(house.tenant(), resource, new Random(seeds.nextLong()), store, transaction));
			}
		}
		this.eventsPerRound = eventsPerRound(properties.eventsPerSecond(), this.desks.size());
	}

	/** How many events a desk appends at a time. */
	static int eventsPerRound(int eventsPerSecond, int desks) {
		return (int) Math.max(1, Math.round(eventsPerSecond * ROUND_MILLIS / 1000.0 / desks));
	}

	/** No event comes from now on, apart from those under way. */
	public void close() {
		this.closed = true;
	}

	/** Events come again. */
	public void open() {
		this.closed = false;
	}

	@Override
	public void start() {
		ScheduledExecutorService starting = Executors.newScheduledThreadPool(THREADS);
		this.timer = starting;
		for (Desk desk : this.desks) {
			var unused = starting.scheduleWithFixedDelay(() -> serve(desk), 0, ROUND_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void serve(Desk desk) {
		if (this.closed) {
			return;
		}
		try {
			desk.serve(this.eventsPerRound, Clock.systemUTC().instant());
			this.failing.set(false);
		}
		catch (RuntimeException ex) {
			// The desk continues after any failure: a scheduled task that throws is
			// never called again.
			if (this.failing.compareAndSet(false, true)) {
				log.warn("The desks cannot append, and try again and again", ex);
			}
		}
	}

	@Override
	public void stop() {
		ScheduledExecutorService stopping = this.timer;
		if (stopping != null) {
			stopping.shutdown();
			this.timer = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.timer != null;
	}

}
