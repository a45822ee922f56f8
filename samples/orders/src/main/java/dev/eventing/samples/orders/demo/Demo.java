package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.PreDestroy;

import org.springframework.beans.factory.ObjectProvider;
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

	private final Pipeline pipeline;

	private final Inspection inspection;

	private final Progress progress;

	private final ObjectProvider<ConsoleAddress> console;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean goingOn;

	Demo(OrdersProperties properties, OrderFeed feed, Pipeline pipeline, Inspection inspection, Progress progress,
			ObjectProvider<ConsoleAddress> console) {
		this.properties = properties;
		this.feed = feed;
		this.pipeline = pipeline;
		this.inspection = inspection;
		this.progress = progress;
		this.console = console;
	}

	/** Writes the orders, waits for the read models, and checks and reports it all. */
	public Outcome run() throws InterruptedException {
		this.progress.say(String.format(Locale.ROOT,
				"taking commands for %,d orders of acme, globex and initech; the table order_summary refuses one of them%n",
				this.properties.count()));
		long start = System.nanoTime();
		Future<?> ticks = this.progress.keepShowing(this.pipeline::standing);
		Times times = writeAndWait(start);
		ticks.cancel(false);
		Outcome outcome = this.inspection.inspect(times);
		Report.of(outcome).forEach(this.progress::say);
		return outcome;
	}

	private Times writeAndWait(long start) throws InterruptedException {
		try {
			this.feed.write(this.properties.count());
			Duration writing = since(start);
			if (!this.pipeline.awaitAll(this.properties.timeout())) {
				this.progress.say("the projectors are not done after " + this.properties.timeout());
			}
			Duration readable = since(start);
			CompletableFuture.runAsync(this.pipeline::publishSomeAgain, LATER).get();
			awaitCopies();
			return new Times(writing, readable);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Writing failed", ex.getCause());
		}
	}

	/** A copy has no position, so this waits until no event is left. */
	private void awaitCopies() throws InterruptedException {
		long start = System.nanoTime();
		while (this.pipeline.isBehind() && !this.stopped.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
			if (since(start).compareTo(this.properties.timeout()) > 0) {
				this.progress.say("the projectors are not done with the copies after " + this.properties.timeout());
				return;
			}
		}
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/** Places an order now and then, until the application is stopped. */
	public void keepGoing() throws InterruptedException, ExecutionException {
		this.goingOn = true;
		this.console.ifAvailable((address) -> this.progress.say(address.toString()));
		this.progress.say("new orders keep coming; Ctrl-C ends it");
		while (!this.stopped.await(TRICKLE_MILLIS, TimeUnit.MILLISECONDS)) {
			this.feed.writeOne();
			this.progress.show(this.pipeline.standing());
		}
	}

	/** Comes before the projectors stop, so that they are not given more. */
	@EventListener(ContextClosedEvent.class)
	void stop() throws InterruptedException {
		this.stopped.countDown();
		this.feed.stop();
	}

	/** Comes after the projectors stopped. */
	@PreDestroy
	void sayLast() {
		if (this.goingOn) {
			this.progress.say("stopped: " + this.pipeline.standing());
		}
	}

	/**
	 * How long it took.
	 *
	 * @param writing until the last command was done
	 * @param readable until both read models showed what came of it
	 */
	record Times(Duration writing, Duration readable) {
	}

}
