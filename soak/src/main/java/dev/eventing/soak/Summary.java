package dev.eventing.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param done how often each kind of fault was done
 * @param undone how often it could not be
 * @param longest by the last fault, how long a projector with work settled nothing
 * @param events how many were sent
 * @param letters letters by reason
 * @param nodes the nodes as they are in the end
 * @param notes what else there is to say, such as how long a recovery takes
 * @param complaints what is wrong
 */
record Summary(Map<String, Integer> done, Map<String, Integer> undone, Map<String, Duration> longest, long events,
		Map<String, Long> letters, List<Node> nodes, List<String> notes, List<String> complaints) {

	boolean isGood() {
		return this.complaints.isEmpty();
	}

	void print(Log log, Path logs) {
		log.line("");
		log.line("%-32s %5s %7s %s".formatted("FAULT", "DONE", "NOT NOW", "LONGEST WITHOUT A COMMIT"));
		TreeSet<String> kinds = new TreeSet<>(this.done.keySet());
		kinds.addAll(this.undone.keySet());
		kinds.addAll(this.longest.keySet());
		for (String kind : kinds) {
			log.line("%-32s %5d %7d %s".formatted(kind, this.done.getOrDefault(kind, 0),
					this.undone.getOrDefault(kind, 0), seconds(this.longest.get(kind))));
		}
		log.line(this.events + " events, " + this.nodes.stream().mapToLong(Node::duplicates).sum()
				+ " duplicates met, letters " + this.letters + ", starts of nodes "
				+ this.nodes.stream().map(Node::starts).toList());
		this.notes.forEach(log::line);
		this.complaints.forEach((complaint) -> log.line("WRONG: " + complaint));
		log.line(isGood() ? "All is as it should be."
				: this.complaints.size() + " things are wrong; the nodes' logs are in " + logs + ".");
	}

	private static String seconds(@Nullable Duration duration) {
		return (duration != null) ? "%.1f s".formatted(duration.toMillis() / 1000.0) : "-";
	}

}
