package dev.eventing.sdk.projector.suspect;

import dev.eventing.sdk.projector.delivery.Suspicion;

/**
 * How many events run in one transaction, by how strongly they are suspected of ending
 * the process. Each death of a process takes what was running one rung down, so one event
 * that ends its process does not hold up the rest for long.
 */
public enum Rung {

	/** With as many others as a batch has. */
	TOGETHER(Integer.MAX_VALUE),

	/**
	 * In a group. A larger one would need fewer transactions, but after another death
	 * each lane must run more events alone.
	 */
	GROUP(32),

	/** Alone in its transaction, and one at a time in the process. */
	ALONE(1);

	/** One together with others, one in a group. */
	private static final int DEATHS_BEFORE_ALONE = 2;

	private final int most;

	Rung(int most) {
		this.most = most;
	}

	/** The most events of a transaction. */
	public int most() {
		return this.most;
	}

	/** The rung of an event that was looked up. */
	public static Rung of(Suspicion suspicion) {
		return switch (suspicion) {
			case NONE -> TOGETHER;
			case POSSIBLE, UNMARKED, MARKED -> GROUP;
			case LIKELY, COUNTED -> ALONE;
		};
	}

	/** The rung of an event that was running at so many deaths of a process. */
	public static Rung after(int deaths) {
		return switch (deaths) {
			case 0 -> TOGETHER;
			case 1 -> GROUP;
			default -> ALONE;
		};
	}

	/** At how many of these deaths it was running alone. */
	public static int deathsAlone(int deaths) {
		return Math.max(0, deaths - DEATHS_BEFORE_ALONE);
	}

}
