package dev.eventing.samples.orders.demo;

import java.time.Duration;

import org.springframework.stereotype.Component;

/**
 * Says what is going on: on a terminal in one line that rewrites itself, elsewhere in a
 * line every few seconds. Thread-safe.
 */
@Component
class Progress {

	/** Back to the start of the line, and clear it. */
	private static final String REWRITE = "\r\u001b[K";

	private static final long EVERY = Duration.ofSeconds(3).toNanos();

	private final boolean terminal;

	private long shownAt = System.nanoTime();

	private boolean open;

	Progress(OrdersProperties properties) {
		this.terminal = properties.terminal();
	}

	/** What stands now; may be left out if the last is recent. */
	synchronized void show(String text) {
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
	synchronized void say(String text) {
		System.out.println((this.open ? REWRITE : "") + text);
		this.open = false;
	}

}
