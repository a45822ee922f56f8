package dev.eventing.soak.fault;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * An endless sequence of faults, one after the other. The same seed makes the same plan.
 * All kinds come once before any comes again.
 */
public final class Plan {

	private static final int OVERLAPPING_PERCENT = 25;

	private static final int LONG_CALM_PERCENT = 30;

	private final Random random;

	private final List<FaultKind> kinds;

	private final int nodes;

	private final long longCalm;

	private final Deque<FaultKind> bag = new ArrayDeque<>();

	/**
	 * Makes one.
	 * @param kinds what may go wrong
	 * @param nodes how many nodes there are
	 * @param longCalm how long a calm must be, in milliseconds, for a stall to be seen
	 */
	public Plan(long seed, Collection<FaultKind> kinds, int nodes, long longCalm) {
		this.random = new Random(seed);
		this.kinds = List.copyOf(kinds);
		this.nodes = nodes;
		this.longCalm = longCalm;
	}

	/** The next one. */
	public Step next() {
		if (this.bag.isEmpty()) {
			List<FaultKind> shuffled = new ArrayList<>(this.kinds);
			Collections.shuffle(shuffled, this.random);
			this.bag.addAll(shuffled);
		}
		FaultKind kind = this.bag.remove();
		int node = this.random.nextInt(this.nodes);
		long millis = (long) kind.shortest() + this.random.nextInt(kind.longest() - kind.shortest());
		long calm = chance(LONG_CALM_PERCENT) ? this.longCalm : 500L + this.random.nextInt(2500);
		return new Step(kind, node, millis, calm, chance(OVERLAPPING_PERCENT), this.random.nextInt());
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

}
