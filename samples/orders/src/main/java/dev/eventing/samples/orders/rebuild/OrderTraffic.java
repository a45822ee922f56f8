package dev.eventing.samples.orders.rebuild;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.eventing.samples.orders.demo.OrderFeed;
import dev.eventing.samples.orders.demo.OrdersProperties;
import dev.eventing.samples.orders.demo.Pipeline;
import dev.eventing.samples.orders.demo.Progress;
import jakarta.annotation.PreDestroy;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Places orders: many at first, then one after the other for as long as it is wanted. */
@Component
@Profile("rebuild")
class OrderTraffic {

	private static final long PAUSE_MILLIS = 20;

	private final OrdersProperties properties;

	private final OrderFeed feed;

	private final Pipeline pipeline;

	private final Progress progress;

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile Future<?> placing = CompletableFuture.completedFuture(null);

	OrderTraffic(OrdersProperties properties, OrderFeed feed, Pipeline pipeline, Progress progress) {
		this.properties = properties;
		this.feed = feed;
		this.pipeline = pipeline;
		this.progress = progress;
	}

	/** Places the first orders, and waits until both read models show them. */
	void placeFirst() throws InterruptedException, ExecutionException {
		Future<?> standing = this.progress.keepShowing(this.pipeline::standing);
		this.feed.write(this.properties.count());
		awaitReadModels();
		standing.cancel(false);
	}

	/** Keeps placing orders after the first ones, on a separate thread. */
	void keepComing() {
		this.feed.goOnAfter(this.properties.count());
		this.placing = this.thread.submit(() -> {
			while (!this.ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
				this.feed.writeOne();
			}
			return null;
		});
	}

	/**
	 * Places no more, and waits until both read models show all.
	 * @throws ExecutionException if an order could not be placed
	 */
	void end() throws InterruptedException, ExecutionException {
		stop();
		this.placing.get();
		awaitReadModels();
	}

	private void awaitReadModels() throws InterruptedException {
		if (!this.pipeline.awaitAll(this.properties.timeout())) {
			throw new IllegalStateException("The projectors are not done after " + this.properties.timeout());
		}
	}

	/** How many orders have been placed. */
	int placed() {
		return this.feed.orders();
	}

	@PreDestroy
	void stop() {
		this.ended.countDown();
		this.thread.shutdown();
	}

}
