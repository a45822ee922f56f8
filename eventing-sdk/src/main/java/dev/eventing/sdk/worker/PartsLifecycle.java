package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops all parts of one phase with their application. They stop side by side,
 * because each may wait for a server that is away. A stop returns when all have stopped:
 * Spring's own time-out for a phase does not cut it short. Thread-safe.
 */
public final class PartsLifecycle implements SmartLifecycle {

	/** A stop that hangs must not hang the next start, too. */
	private static final Duration STOPS_WITHIN = Duration.ofMinutes(2);

	private final ApplicationPhase phase;

	private final Supplier<? extends Map<String, ? extends RunningPart>> parts;

	private final Duration stopsWithin;

	/** The stops that may still be under way, by the names of the parts. */
	private final Map<String, OneShot> stops = new LinkedHashMap<>();

	private volatile boolean running;

	/**
	 * Starts nothing yet.
	 * @param phase the phase of the parts that it starts and stops
	 * @param parts supplies the parts of all phases by name, in the order in which they
	 * start
	 */
	public PartsLifecycle(ApplicationPhase phase, Supplier<? extends Map<String, ? extends RunningPart>> parts) {
		this(phase, parts, STOPS_WITHIN);
	}

	/**
	 * As the other.
	 * @param stopsWithin how long a start waits for stops
	 */
	PartsLifecycle(ApplicationPhase phase, Supplier<? extends Map<String, ? extends RunningPart>> parts,
			Duration stopsWithin) {
		this.phase = phase;
		this.parts = parts;
		this.stopsWithin = stopsWithin;
	}

	/**
	 * Starts the parts that do not run, one after the other. If one cannot start, stops
	 * those that it has started.
	 * @throws StopUnderWayException if a stop does not end within two minutes
	 */
	@Override
	public synchronized void start() {
		awaitStops();
		Map<String, RunningPart> begun = new LinkedHashMap<>();
		boolean started = false;
		try {
			find().forEach((name, part) -> {
				if (!part.isRunning()) {
					begun.put(name, part);
					part.start();
				}
			});
			this.running = true;
			started = true;
		}
		finally {
			if (!started) {
				stop(begun);
			}
		}
	}

	private Map<String, RunningPart> find() {
		Map<String, RunningPart> found = new LinkedHashMap<>(this.parts.get());
		found.values().removeIf((part) -> part.phase() != this.phase);
		return found;
	}

	/**
	 * Waits for stops that were left alone, because they hang or the thread that waited
	 * for them was interrupted: they would stop what starts now. Waits to the end, also
	 * if it is interrupted.
	 */
	private void awaitStops() {
		long end = System.nanoTime() + this.stopsWithin.toNanos();
		boolean interrupted = false;
		try {
			while (!this.stops.isEmpty()) {
				Map.Entry<String, OneShot> next = this.stops.entrySet().iterator().next();
				try {
					if (!next.getValue().join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
						throw new StopUnderWayException(next.getKey(), this.stopsWithin);
					}
					this.stops.remove(next.getKey());
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Stops all parts, and returns when they have stopped. A part whose stop hangs is
	 * logged, and not waited for any longer.
	 */
	@Override
	public synchronized void stop() {
		this.running = false;
		stop(find());
	}

	private void stop(Map<String, RunningPart> stopping) {
		Map<String, OneShot> begun = new LinkedHashMap<>();
		stopping.forEach((name, part) -> begun.put(name, OneShot.of(name + "-stop", part::stop)));
		this.stops.putAll(begun);
		OneShot.runAll(List.copyOf(begun.values()), longest(stopping.values()));
	}

	private static Duration longest(Collection<RunningPart> parts) {
		return parts.stream().map(RunningPart::longestStop).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return this.phase.value();
	}

}
