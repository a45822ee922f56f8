package dev.eventing.sdk.relay;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.nats.StreamTails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which subjects no stream carries, where a stream is there for other events of the
 * relay: then it is a matter of the subject, and the others can go on. Where there is no
 * such stream, or JetStream does not answer, nothing is known of any subject. Not
 * thread-safe.
 */
final class UncoveredSubjects {

	private static final Logger logger = LoggerFactory.getLogger(UncoveredSubjects.class);

	private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Beginnings of subjects that are never events of a relay: those of the server, which
	 * key-value buckets have too, and of dead letters.
	 */
	private static final List<String> OTHERS = List.of("$", "dlq.");

	/** A line for each subject, but not for thousands. */
	private static final int MOST_LOGGED = 100;

	private final StreamTails tails;

	private final List<String> filters;

	private List<StreamTail> streams = List.of();

	private final Set<String> logged = new HashSet<>();

	private long lookedAt = System.nanoTime() - FRESH;

	/**
	 * Asks nobody yet.
	 * @param filters the subjects of the relay
	 */
	UncoveredSubjects(StreamTails tails, List<String> filters) {
		this.tails = tails;
		this.filters = filters;
	}

	/** Whether it is known that none carries the subject; asks once a second at most. */
	boolean contains(String subject) {
		look();
		return this.streams.stream().anyMatch(UncoveredSubjects::isForEvents)
				&& this.streams.stream().noneMatch((stream) -> stream.carries(subject));
	}

	/** Those that a stream carries; asks once a second at most. */
	List<String> carried(List<String> subjects) {
		look();
		List<String> carried = subjects.stream()
			.filter((subject) -> this.streams.stream().anyMatch((stream) -> stream.carries(subject)))
			.toList();
		carried.forEach(this.logged::remove);
		return carried;
	}

	/** Whether the log does not know yet that events wait for the subject. */
	boolean isNews(String subject) {
		return this.logged.size() < MOST_LOGGED && this.logged.add(subject);
	}

	private static boolean isForEvents(StreamTail stream) {
		return stream.subjects().stream().anyMatch((subject) -> OTHERS.stream().noneMatch(subject::startsWith));
	}

	private void look() {
		if (System.nanoTime() - this.lookedAt < FRESH) {
			return;
		}
		try {
			this.streams = this.tails.carrying(this.filters);
		}
		catch (EventingException ex) { // also where it may not be asked
			logger.debug("The streams cannot be looked up.", ex);
			this.streams = List.of();
		}
		this.lookedAt = System.nanoTime();
	}

}
