package dev.eventing.sdk.projector.feed.jetstream;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.UnmatchedSubjects;
import dev.eventing.sdk.nats.UnmatchedSubjects.Unmatched;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the state of the stream when a node begins to read it: where it begins, how much
 * waits, and which subjects have no event. In a new application events of some subjects
 * come later, so that is a warning only if a subject is nearly that of other events. For
 * the thread of the intake.
 */
final class FirstLook {

	private static final Logger logger = LoggerFactory.getLogger(FirstLook.class);

	private final ProjectorEndpoint endpoint;

	private final UnmatchedSubjects unmatched;

	private boolean done;

	FirstLook(ProjectorEndpoint endpoint, NatsClient nats) {
		this.endpoint = endpoint;
		this.unmatched = new UnmatchedSubjects(nats);
	}

	/** The durable is ready, and nothing was pulled from it on this node. */
	void begins(DurableState ready, long from) {
		logger.info(
				"Projector '{}' begins in stream '{}' after sequence {}: {} events of its subjects wait there. The stream"
						+ " ends at sequence {}.",
				this.endpoint.name(), ready.stream(), from, ready.pending() + ready.unsettled(), ready.lastInStream());
	}

	/**
	 * Looks once which subjects have no event. Call it after reading has begun, so that a
	 * takeover does not wait for it.
	 */
	void looksFor(String stream) {
		if (this.done) {
			return;
		}
		this.done = true;
		try {
			log(stream, this.unmatched.find(stream, this.endpoint.filterSubjects()));
		}
		catch (JetStreamConfigurationException ex) {
			logger.debug("The subjects of projector '{}' are not looked up.", this.endpoint.name(), ex);
		}
	}

	private void log(String stream, List<Unmatched> found) {
		found.stream()
			.filter(Unmatched::near)
			.forEach((each) -> logger.warn(
					"Projector '{}' listens to '{}', but stream '{}' has no event of it. It has events of '{}'."
							+ " Consider the spelling of the subject, unless no such event was published yet.",
					this.endpoint.name(), each.filter(), stream, each.other()));
		List<Unmatched> later = found.stream().filter((each) -> !each.near()).toList();
		if (!later.isEmpty()) {
			logger.info(
					"Projector '{}' listens to '{}', of which stream '{}' has no event yet. It has others, such as '{}'.",
					this.endpoint.name(), later.stream().map(Unmatched::filter).collect(Collectors.joining("', '")),
					stream, later.get(0).other());
		}
	}

}
