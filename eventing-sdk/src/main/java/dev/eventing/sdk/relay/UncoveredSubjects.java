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
 * Finds subjects that no stream carries, while a stream exists for other events of the
 * relay. Then only these subjects are affected, and other events can be published. If
 * there is no such stream, or JetStream does not answer, it reports no subject. Not
 * thread-safe.
 */
final class UncoveredSubjects {

	private static final Logger logger = LoggerFactory.getLogger(UncoveredSubjects.class);

	private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Prefixes of subjects that never belong to a relay: those of the server, which
	 * key-value buckets also use, and those of dead letters.
	 */
	private static final List<String> OTHERS = List.of("$", "dlq.");

	/** The maximum number of subjects that are logged, one line each. */
	private static final int MOST_LOGGED = 100;

	private final StreamTails tails;

	private final List<String> filters;

	private List<StreamTail> streams = List.of();

	private final Set<String> logged = new HashSet<>();

	private long lookedAt = System.nanoTime() - FRESH;

	/**
	 * Does not access NATS yet.
	 * @param filters the subjects of the relay
	 */
	UncoveredSubjects(StreamTails tails, List<String> filters) {
		this.tails = tails;
		this.filters = filters;
	}

	/**
	 * Whether no stream is known to carry the subject. Queries JetStream once a second at
	 * most.
	 */
	boolean contains(String subject) {
		look();
		return this.streams.stream().anyMatch(UncoveredSubjects::isForEvents)
				&& this.streams.stream().noneMatch((stream) -> stream.carries(subject));
	}

	/**
	 * Whether another stream than this is known for events of the relay. Queries
	 * JetStream once a second at most.
	 */
	boolean hasOthersThan(String stream) {
		look();
		return this.streams.stream().anyMatch((other) -> isForEvents(other) && !other.stream().equals(stream));
	}

	/** The subjects that a stream carries. Queries JetStream once a second at most. */
	List<String> carried(List<String> subjects) {
		look();
		List<String> carried = subjects.stream()
			.filter((subject) -> this.streams.stream().anyMatch((stream) -> stream.carries(subject)))
			.toList();
		carried.forEach(this.logged::remove);
		return carried;
	}

	/** Whether it was not logged yet that events wait for the subject. */
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
		catch (EventingException ex) { // also if the user has no permission for the query
			logger.debug("The streams cannot be looked up.", ex);
			this.streams = List.of();
		}
		this.lookedAt = System.nanoTime();
	}

}
