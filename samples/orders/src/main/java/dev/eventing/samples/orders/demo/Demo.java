package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.samples.orders.check.PublishedEvents;
import jakarta.annotation.PreDestroy;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Runs the sample from start to end and tells what happens. */
@Component
public class Demo {

	private static final long TICK_MILLIS = 200;

	private static final long TRICKLE_MILLIS = 500;

	/** Well beyond the stream's duplicate window. */
	private static final Executor LATER = CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS);

	private final OrdersProperties properties;

	private final OrderFeed feed;

	private final PublishedEvents published;

	private final Inspection inspection;

	private final Progress progress;

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	private final CountDownLatch allDone = new CountDownLatch(1);

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean allPublished;

	private volatile boolean goingOn;

	Demo(OrdersProperties properties, OrderFeed feed, PublishedEvents published, Inspection inspection,
			Progress progress) {
		this.properties = properties;
		this.feed = feed;
		this.published = published;
		this.inspection = inspection;
		this.progress = progress;
	}

	/** Publishes the orders, waits for the projectors, and checks and reports it all. */
	public Outcome run() throws InterruptedException {
		this.progress.say(String.format(Locale.ROOT,
				"publishing %,d orders of acme, globex and initech; the table order_summary refuses one of them%n",
				this.properties.count()));
		long start = System.nanoTime();
		ScheduledFuture<?> ticks = this.scheduler.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS,
				TimeUnit.MILLISECONDS);
		Duration publishing = publishAndWait(start);
		ticks.cancel(false);
		Outcome outcome = this.inspection.inspect(publishing, Duration.ofNanos(System.nanoTime() - start));
		Report.of(outcome).forEach(this.progress::say);
		return outcome;
	}

	private Duration publishAndWait(long start) throws InterruptedException {
		try {
			this.feed.publish(this.properties.count());
			CompletableFuture.runAsync(this.feed::publishSomeAgain, LATER).get();
			Duration publishing = Duration.ofNanos(System.nanoTime() - start);
			this.allPublished = true;
			if (!this.allDone.await(this.properties.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
				this.progress.say("the projectors are not done after " + this.properties.timeout());
			}
			return publishing;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Publishing failed", ex.getCause());
		}
	}

	private void tick() {
		List<Work> work = this.inspection.work();
		this.progress.show(standing(work));
		if (this.allPublished && work.stream().allMatch(Work::isDone)) {
			this.allDone.countDown();
		}
	}

	private String standing(List<Work> work) {
		return String.format(Locale.ROOT, "published %,d events, %,d of them twice; processed: %s",
				this.published.events(), this.published.copies(),
				String.join(", ", work.stream().map(Work::toString).toList()));
	}

	/** Goes on publishing an order now and then, until the application is stopped. */
	public void keepGoing() throws InterruptedException {
		this.goingOn = true;
		this.progress.say("new orders keep coming; Ctrl-C ends it");
		int number = this.properties.count();
		while (!this.stopped.await(TRICKLE_MILLIS, TimeUnit.MILLISECONDS)) {
			number++;
			this.feed.publishSomeAgain();
			this.feed.publishOne(number);
			this.progress.show(standing(this.inspection.work()));
		}
	}

	/** Comes before the projectors stop, so that they are not given more. */
	@EventListener(ContextClosedEvent.class)
	void stop() throws InterruptedException {
		this.stopped.countDown();
		this.scheduler.shutdownNow();
		this.feed.stop();
	}

	/** Comes after the projectors stopped. */
	@PreDestroy
	void sayLast() {
		if (this.goingOn) {
			this.progress.say("stopped: " + standing(this.inspection.work()));
		}
	}

}
