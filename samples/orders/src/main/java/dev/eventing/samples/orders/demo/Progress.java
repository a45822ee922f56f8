package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

import org.springframework.stereotype.Component;

/**
 * Reports progress: on a terminal in one line that rewrites itself, elsewhere in a line
 * every few seconds. Thread-safe.
 */
@Component
public class Progress {

	/** Back to the start of the line, and clear it. */
	private static final String REWRITE = "\r\u001b[K";

	private static final long TICK_MILLIS = 200;

	private static final long EVERY = Duration.ofSeconds(3).toNanos();

	private final boolean terminal;

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	private long shownAt = System.nanoTime();

	private boolean open;

	Progress(OrdersProperties properties) {
		this.terminal = properties.terminal();
	}

	/** Shows what stands, again and again, until the future is cancelled. */
	public Future<?> keepShowing(Supplier<String> standing) {
		return this.scheduler.scheduleWithFixedDelay(() -> show(standing.get()), TICK_MILLIS, TICK_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	/** What stands now; may be left out if the last is recent. */
	public synchronized void show(String text) {
		if (this.terminal) {
			System.out.print(REWRITE + text);
			System.out.flush();
			this.open = true;
		}
		else if (System.nanoTime() - this.shownAt >= EVERY) {
			this.shownAt = System.nanoTime();
			System.out.println(text);
		}
	}

	/** A line to stay. */
	public synchronized void say(String text) {
		System.out.println((this.open ? REWRITE : "") + text);
		this.open = false;
	}

	/** Comes before what is shown is closed. */
	@EventListener(ContextClosedEvent.class)
	void stop() {
		this.scheduler.shutdownNow();
	}

}
