package dev.eventing.sdk.guarantees;

import java.util.List;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;

/** The durables of projectors on one stream, as the server counts. */
final class ProjectorDurables {

	/** Of JetStream. */
	private static final int NO_CONSUMER = 10014;

	private final JetStreamApi jetStream;

	private final String stream;

	ProjectorDurables(JetStreamApi jetStream, String stream) {
		this.jetStream = jetStream;
		this.stream = stream;
	}

	/** The names of all consumers of the stream. */
	List<String> names() {
		return this.jetStream.call((management) -> management.getConsumerNames(this.stream));
	}

	/** How many deliveries are not settled. */
	long unsettled(String projector) {
		return this.jetStream.call((management) -> management.getConsumerInfo(this.stream, durable(projector)))
			.getNumAckPending();
	}

	/** How many deliveries were made, those made again included. */
	long deliveries(String projector) {
		return this.jetStream.call((management) -> management.getConsumerInfo(this.stream, durable(projector)))
			.getDelivered()
			.getConsumerSequence();
	}

	/**
	 * Whether all events are delivered, and all are settled. Not while there is no
	 * durable: to rewind one may delete and create it.
	 */
	boolean hasSettledAll(String projector) {
		return this.jetStream.call((management) -> {
			try {
				ConsumerInfo durable = management.getConsumerInfo(this.stream, durable(projector));
				return durable.getNumPending() == 0 && durable.getNumAckPending() == 0;
			}
			catch (JetStreamApiException ex) {
				if (ex.getApiErrorCode() == NO_CONSUMER) {
					return false;
				}
				throw ex;
			}
		});
	}

	private static String durable(String projector) {
		return projector + "-consumer";
	}

}
