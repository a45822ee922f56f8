package dev.eventing.samples.orders.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import dev.eventing.samples.orders.order.OrderCommand;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.order.OrderRefusedException;
import dev.eventing.samples.orders.order.OrderScript;
import dev.eventing.samples.orders.order.OrderService;

import org.springframework.stereotype.Component;

/**
 * Asks the order service for what the generated orders want: several orders side by side,
 * and what two people want of one order at the same time on two threads.
 */
@Component
public class OrderFeed {

	private static final int WRITERS = 4;

	private final OrderGenerator generator;

	private final OrderService service;

	private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);

	private final ExecutorService rivals = Executors.newFixedThreadPool(WRITERS);

	private final LongAdder commands = new LongAdder();

	private final LongAdder refused = new LongAdder();

	private final AtomicInteger next = new AtomicInteger(1);

	private volatile boolean stopped;

	OrderFeed(OrderGenerator generator, OrderService service) {
		this.generator = generator;
		this.service = service;
	}

	/** Continues after the orders of another instance. */
	public void goOnAfter(int orders) {
		this.next.set(orders + 1);
	}

	/**
	 * Writes orders.
	 * @throws ExecutionException if one could not be written
	 */
	public void write(int count) throws InterruptedException, ExecutionException {
		AtomicInteger left = new AtomicInteger(count);
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < WRITERS; i++) {
			all.add(this.writers.submit(() -> {
				while (left.getAndDecrement() > 0) {
					writeOne();
				}
				return null;
			}));
		}
		for (Future<?> each : all) {
			each.get();
		}
	}

	/**
	 * Writes one more order.
	 * @throws ExecutionException if it could not be written
	 */
	public void writeOne() throws InterruptedException, ExecutionException {
		OrderScript script = this.generator.order(this.next.getAndIncrement());
		for (List<OrderCommand> step : script.steps()) {
			if (this.stopped) {
				return;
			}
			List<Future<?>> others = new ArrayList<>();
			for (OrderCommand rival : step.subList(1, step.size())) {
				others.add(this.rivals.submit(() -> handle(script, rival)));
			}
			handle(script, step.get(0));
			for (Future<?> other : others) {
				other.get();
			}
		}
	}

	private void handle(OrderScript script, OrderCommand command) {
		this.commands.increment();
		try {
			this.service.handle(script.tenantId(), script.orderId(), command);
		}
		catch (OrderRefusedException ex) {
			this.refused.increment();
		}
	}

	/** How many orders were begun. */
	public int orders() {
		return this.next.get() - 1;
	}

	/** How many commands were given. */
	long commands() {
		return this.commands.sum();
	}

	/** How many of them the rules of their order forbade. */
	long refused() {
		return this.refused.sum();
	}

	/** Writes no more; waits for what is under way. */
	void stop() throws InterruptedException {
		this.stopped = true;
		this.writers.shutdown();
		this.writers.awaitTermination(5, TimeUnit.SECONDS);
		this.rivals.shutdown();
	}

}
