package dev.eventing.soak.node;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Faults of the SDK's threads of one kind, such as all intakes, or the thread that renews
 * leases. A thread dies when it next wants a connection, or has something to log, at
 * whatever level.
 */
final class ThreadMischief extends TurboFilter {

	/** Prefixes of the SDK's threads that belong to no projector. */
	private static final List<String> PREFIXES = List.of("eventing-", "relay-");

	private volatile @Nullable Death death;

	/** From now on the SDK's log is one of the places where threads die. */
	void watchLog() {
		if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
			context.addTurboFilter(this);
		}
	}

	/** Interrupts all threads of the kind that the dice choose. */
	void interrupt(int dice) {
		String kind = choose(dice);
		List<Thread> threads = threads().filter((thread) -> kind.equals(kind(thread))).toList();
		System.out.println("soak: interrupts " + threads.size() + " threads of kind " + kind);
		threads.forEach(Thread::interrupt);
	}

	/**
	 * Each thread of the kind that the dice choose is to die once, if it comes by in this
	 * time.
	 */
	void kill(int dice, long millis) {
		String kind = choose(dice);
		System.out.println("soak: threads of kind " + kind + " die");
		this.death = new Death(kind, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis),
				ConcurrentHashMap.newKeySet());
	}

	/** On a thread that may have to die. */
	void comesBy() {
		Death next = this.death;
		if (next == null) {
			return;
		}
		if (System.nanoTime() - next.end() > 0) {
			this.death = null;
			return;
		}
		Thread thread = Thread.currentThread();
		if (next.kind().equals(kind(thread)) && next.struck().add(thread.getName())) {
			throw new OutOfMemoryError("made up, in thread " + thread.getName());
		}
	}

	@Override
	public FilterReply decide(@Nullable Marker marker, Logger logger, Level level, @Nullable String format,
			Object @Nullable [] parameters, @Nullable Throwable failure) {
		if (this.death != null && logger.getName().startsWith("dev.eventing.sdk")) {
			comesBy();
		}
		return FilterReply.NEUTRAL;
	}

	private static String choose(int dice) {
		List<String> kinds = threads().map(ThreadMischief::kind).distinct().sorted().toList();
		return kinds.isEmpty() ? "none" : kinds.get(Math.floorMod(dice, kinds.size()));
	}

	private static Stream<Thread> threads() {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> !kind(thread).isEmpty());
	}

	/**
	 * The name of an SDK's thread without projector, generation and number; empty for
	 * those of others.
	 */
	private static String kind(Thread thread) {
		String name = thread.getName();
		for (Projected projected : Projected.values()) {
			if (name.startsWith(projected.projector())) {
				// The number of a generation may stand between.
				String task = name.substring(projected.projector().length()).replaceFirst("^[^-]+", "");
				return "projector" + withoutNumbers(task);
			}
		}
		return PREFIXES.stream().anyMatch(name::startsWith) ? withoutNumbers(name) : "";
	}

	private static String withoutNumbers(String name) {
		return name.replaceAll("-?\\d+", "");
	}

	/**
	 * Threads that are to die.
	 *
	 * @param kind which
	 * @param end until when, by {@link System#nanoTime()}
	 * @param struck the names of those that died
	 */
	private record Death(String kind, long end, Set<String> struck) {

	}

}
