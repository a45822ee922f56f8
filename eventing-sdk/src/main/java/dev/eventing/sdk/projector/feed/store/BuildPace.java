package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * How fast a generation is built beside the live one. With a rate it reads at most so
 * many events in a second. Without one it runs at full speed, and looks once a second
 * whether others suffer. Then it halves its speed, down to a floor, and speeds up again
 * when they have recovered. For the thread of the intake; {@link #describe} is for any.
 */
final class BuildPace {

	/** Events per second. A slower build would not end, and would relieve no reader. */
	static final int FLOOR = 100;

	private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();

	/** The factor of speed-up at each look that finds no strain. */
	private static final double GROWTH = 1.25;

	/** The parts of a second that are read at once: at least, and at most. */
	private static final double LEAST_PART = 0.1;

	private static final double MOST_PART = 0.2;

	private final @Nullable Integer rate;

	private final Supplier<@Nullable String> strain;

	private final LongSupplier nanoTime;

	/** Events in a second. */
	private double limit;

	/** The events that it may read now. */
	private double allowed;

	private long allowedAt;

	private long lookedAt;

	/** The events that were read since the last look. */
	private long read;

	private volatile @Nullable String description;

	/** Whether the description has changed. */
	private boolean hasNews;

	/**
	 * Looks at nothing yet.
	 * @param rate the most events in a second; null to look whether others suffer
	 * @param strain the strain, as text; null if there is none
	 * @param nanoTime the clock
	 */
	BuildPace(@Nullable Integer rate, Supplier<@Nullable String> strain, LongSupplier nanoTime) {
		this.rate = rate;
		this.strain = strain;
		this.nanoTime = nanoTime;
		this.limit = (rate != null) ? rate : Double.POSITIVE_INFINITY;
		this.allowedAt = nanoTime.getAsLong();
		this.lookedAt = this.allowedAt;
		this.description = (rate != null) ? String.format(Locale.ROOT, "at most %,d/s, as requested", rate) : null;
	}

	/**
	 * How many events may be read now.
	 * @param wanted the most that are wanted
	 * @return 0 if it is to be asked again a little later
	 */
	int grant(int wanted) {
		long now = this.nanoTime.getAsLong();
		if (this.rate == null && now - this.lookedAt >= LOOK_EVERY) {
			look(now);
		}
		if (Double.isInfinite(this.limit)) {
			return wanted;
		}
		double seconds = (now - this.allowedAt) / 1e9;
		this.allowedAt = now;
		this.allowed = Math.min(Math.max(1, this.limit * MOST_PART), this.allowed + this.limit * seconds);
		boolean enough = this.allowed >= Math.min(wanted, Math.max(1, this.limit * LEAST_PART));
		return enough ? (int) Math.min(wanted, this.allowed) : 0;
	}

	/** Events were read. */
	void took(int events) {
		this.allowed -= events;
		this.read += events;
	}

	private void look(long now) {
		double speed = this.read / ((now - this.lookedAt) / 1e9);
		this.read = 0;
		String suffering = this.strain.get();
		this.lookedAt = this.nanoTime.getAsLong();
		if (suffering != null) {
			if (Double.isInfinite(this.limit)) {
				this.allowed = 0; // events that were read at full speed are no debt
				this.allowedAt = now;
			}
			this.limit = Math.max(FLOOR, Math.min(this.limit, speed) / 2);
			this.allowed = Math.min(this.allowed, 0);
			say(String.format(Locale.ROOT, "throttled to %,.0f/s: %s", this.limit, suffering));
		}
		else if (!Double.isInfinite(this.limit)) {
			this.limit *= GROWTH;
			// Something else holds it back: full speed is no more than this.
			if (speed < this.limit / 2) {
				this.limit = Double.POSITIVE_INFINITY;
				this.allowed = 0;
				say(null);
			}
			else {
				say(String.format(Locale.ROOT, "throttled to %,.0f/s, and speeding up", this.limit));
			}
		}
	}

	private void say(@Nullable String text) {
		this.description = text;
		this.hasNews = true;
	}

	/** Whether the description has changed since the last call. */
	boolean takeNews() {
		boolean news = this.hasNews;
		this.hasNews = false;
		return news;
	}

	/** The throttling, for operators; null at full speed. */
	@Nullable String describe() {
		return this.description;
	}

}
