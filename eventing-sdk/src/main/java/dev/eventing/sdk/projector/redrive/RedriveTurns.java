package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.deadletter.ledger.RedriveTurn;
import org.jspecify.annotations.Nullable;

/**
 * Which redrives of a projector may run letters now, and from which letter on. One with a
 * rate waits until its next letters are due, and the others continue meanwhile.
 *
 * <p>
 * A redrive continues after the letters that were run, because PostgreSQL may have to
 * step over the index entries of all letters before them. What was passed too early comes
 * with the next look at the ledger. For one thread.
 */
final class RedriveTurns {

	/** How long it is relied on what was in the ledger at a look. */
	private static final Duration LOOK = Duration.ofSeconds(2);

	/** There is no letter after it. */
	private static final long ALL = Long.MAX_VALUE;

	/** The number of the last letter that was run, by redrive. */
	private final Map<UUID, Long> passed = new LinkedHashMap<>();

	/** When redrives with a rate are due, if that is in the future. */
	private final Map<UUID, Long> due = new HashMap<>();

	private long lookedAt = System.nanoTime() - LOOK.toNanos();

	/** Whether it is time to look at the ledger. */
	boolean areOld() {
		return System.nanoTime() - this.lookedAt >= LOOK.toNanos();
	}

	/** Begins again with these redrives, each with its first letter. */
	void looked(Collection<UUID> redrives) {
		this.lookedAt = System.nanoTime();
		this.passed.clear();
		redrives.forEach((redrive) -> this.passed.put(redrive, 0L));
	}

	/** The redrives that may run letters now. */
	List<RedriveTurn> due() {
		Set<UUID> waiting = waiting();
		return this.passed.entrySet()
			.stream()
			.filter((each) -> each.getValue() < ALL && !waiting.contains(each.getKey()))
			.map((each) -> new RedriveTurn(each.getKey(), each.getValue()))
			.toList();
	}

	/** The redrives that wait until they are due. */
	Set<UUID> waiting() {
		long now = System.nanoTime();
		this.due.values().removeIf((at) -> at - now <= 0);
		this.due.keySet().retainAll(this.passed.keySet());
		return Set.copyOf(this.due.keySet());
	}

	/** The time until the first one that waits is due; null if none waits. */
	@Nullable Duration untilDue() {
		long now = System.nanoTime();
		return waiting().stream()
			.map((redrive) -> Duration.ofNanos(this.due.getOrDefault(redrive, now) - now))
			.min(Duration::compareTo)
			.orElse(null);
	}

	/** None of them has a further letter to run now. */
	void ended(Collection<RedriveTurn> turns) {
		turns.forEach((turn) -> this.passed.put(turn.redriveId(), ALL));
	}

	/**
	 * These letters have run, together.
	 * @param began when their run began, as {@link System#nanoTime}
	 */
	void ran(List<RedriveLetter> letters, long began) {
		for (RedriveLetter letter : letters) {
			UUID requested = letter.redriveId();
			UUID redrive = (requested != null) ? requested : RedriveTurn.AUTOMATIC;
			this.passed.merge(redrive, letter.letter().number(), Long::max);
			Integer rate = letter.ratePerSecond();
			if (rate != null) {
				this.due.put(redrive, began + TimeUnit.SECONDS.toNanos(letters.size()) / rate);
			}
		}
	}

}
