package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

/** What projectors need of their durables, from their options. */
public final class DurableSpecs {

	private DurableSpecs() {
	}

	/**
	 * The configuration of a projector's durable, on the stream that carries its subjects
	 * now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if none does
	 */
	public static DurableSpec of(ProjectorEndpoint endpoint, Streams streams) {
		return of(endpoint, streams.carrying(endpoint.id(), endpoint.stream(), endpoint.filterSubjects()), null);
	}

	/**
	 * The configuration of a projector's durable on a stream.
	 * @param schema the identity of the projector's database; null to claim none
	 */
	static DurableSpec of(ProjectorEndpoint endpoint, String stream, @Nullable String schema) {
		ProjectorOptions options = endpoint.options();
		return new DurableSpec(endpoint.id(), stream, endpoint.durableName(), endpoint.filterSubjects(),
				options.get(ProjectorSettings::ackWait), options.get(ProjectorSettings::maxAckPending),
				options.get(ProjectorSettings::deliverPolicy) != DeliverPolicy.NEW, schema);
	}

}
