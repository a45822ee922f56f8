package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.UnmatchedSubjects;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the state of the stream when a node begins to read it: where it begins, how much
 * waits, and which subjects have no event. For the thread of the intake.
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
			this.unmatched.find(stream, this.endpoint.filterSubjects())
				.forEach((subject, other) -> logger
					.warn("Projector '{}' listens to '{}', but stream '{}' has no event of it. It has others, such as"
							+ " '{}'. Consider the spelling of the subject, unless no such event was published yet.",
							this.endpoint.name(), subject, stream, other));
		}
		catch (JetStreamConfigurationException ex) {
			logger.debug("The subjects of projector '{}' are not looked up.", this.endpoint.name(), ex);
		}
	}

}
