package dev.eventing.soak.judge;

import java.util.List;
import java.util.Map;

/**
 * An observation of all nodes at one moment.
 *
 * @param at when, by {@link System#nanoTime()}
 * @param late for how long the machine has stood still since the first sample, in
 * nanoseconds
 * @param projectors how far each projector is
 * @param nodes what the nodes that are alive said last
 */
public record Sample(long at, long late, Map<String, Progress> projectors, List<NodeStatus> nodes) {

	public Sample {
		projectors = Map.copyOf(projectors);
		nodes = List.copyOf(nodes);
	}

	/**
	 * How far a projector is.
	 *
	 * @param expected events that are committed and its to apply
	 * @param applied events it has applied
	 * @param letters its open letters
	 */
	public record Progress(long expected, long applied, long letters) {

		/** Whether there are events that are neither applied nor letters. */
		boolean isBehind() {
			return this.expected > this.applied + this.letters;
		}

		/** Grows with everything that is settled, and with a redrive as well. */
		long settled() {
			return 2 * this.applied + this.letters;
		}

	}

	/** Whether every node says that all is well. */
	boolean isAllUp() {
		return !this.nodes.isEmpty() && this.nodes.stream().allMatch(NodeStatus::isUp);
	}

}
