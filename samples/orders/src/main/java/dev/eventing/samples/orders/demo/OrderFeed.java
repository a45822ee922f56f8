package dev.eventing.samples.orders.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.samples.orders.check.PublishedEvents;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.order.OrderPublisher;
import dev.eventing.sdk.event.Event;

import org.springframework.stereotype.Component;

/**
 * Publishes generated orders: several orders side by side, the events of one order one
 * after the other, so that none overtakes its predecessor.
 */
@Component
class OrderFeed {

	private static final int THREADS = 4;

	/** One event in so many is published twice, and all of the first order. */
	private static final int TWICE_IN = 25;

	private final OrderGenerator generator;

	private final OrderPublisher publisher;

	private final PublishedEvents published;

	private final Queue<Event<OrderEvent>> toRepeat = new ConcurrentLinkedQueue<>();

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private volatile boolean stopped;

	OrderFeed(OrderGenerator generator, OrderPublisher publisher, PublishedEvents published) {
		this.generator = generator;
		this.publisher = publisher;
		this.published = published;
	}

	/**
	 * Publishes the orders from number 1 to this one.
	 * @throws ExecutionException if JetStream did not take one
	 */
	void publish(int count) throws InterruptedException, ExecutionException {
		AtomicInteger next = new AtomicInteger(1);
		List<Future<?>> workers = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			workers.add(this.threads.submit(() -> {
				for (int number = next.getAndIncrement(); number <= count; number = next.getAndIncrement()) {
					publishOne(number);
				}
			}));
		}
		for (Future<?> worker : workers) {
			worker.get();
		}
	}

	/** Publishes the order of this number. */
	void publishOne(int number) {
		for (Event<OrderEvent> event : this.generator.order(number)) {
			if (this.stopped) {
				return;
			}
			this.publisher.publish(event);
			this.published.stored(event);
			if (number == 1 || Math.floorMod(event.id().hashCode(), TWICE_IN) == 0) {
				this.toRepeat.add(event);
			}
		}
	}

	/**
	 * Publishes some events once more, with the ids they had. JetStream stores those
	 * again whose first publish it has forgotten.
	 */
	void publishSomeAgain() {
		for (Event<OrderEvent> event = this.toRepeat.poll(); event != null; event = this.toRepeat.poll()) {
			if (this.publisher.publish(event)) {
				this.published.storedAgain(event);
			}
		}
	}

	/** Publishes no more; waits for what is under way. */
	void stop() throws InterruptedException {
		this.stopped = true;
		this.threads.shutdown();
		this.threads.awaitTermination(5, TimeUnit.SECONDS);
	}

}
