package dev.eventing.samples.orders.rebuild;

import java.util.Locale;

import dev.eventing.sdk.projection.ProjectorOverview;

/** How far the build of a generation is, and how fast. Not thread-safe. */
final class BuildProgress {

	private final long start = System.nanoTime();

	/** A line about it. New events move the end that it has to meet. */
	String of(ProjectorOverview building) {
		long position = (building.position() != null) ? building.position() : 0;
		Long behind = building.behind().events();
		long end = position + ((behind != null) ? behind : 0);
		double rate = position / ((System.nanoTime() - this.start) / 1e9);
		String line = String.format(Locale.ROOT, "building beside: %,d of %,d events (%d %%), %,.0f/s", position, end,
				(end > 0) ? 100 * position / end : 100, rate);
		return (position > 0) ? line + String.format(Locale.ROOT, ", %,.0f s left", (end - position) / rate) : line;
	}

}
