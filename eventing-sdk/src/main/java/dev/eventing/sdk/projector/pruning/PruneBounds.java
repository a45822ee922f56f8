package dev.eventing.sdk.projector.pruning;

import java.time.Instant;
import java.util.Optional;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.jetstream.DurableSpecs;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Determines which events of a projector cannot be delivered again. Rows do not contain
 * the positions of their events, so the bound is a time. An event that can still be
 * delivered is after the floor. So it was stored no earlier than the first event after
 * the floor, and was not applied before that time. The saved floor decides, because the
 * SDK recreates a lost durable after the saved floor. Thread-safe.
 */
final class PruneBounds {

	private final ProjectorServices services;

	private final Durables durables;

	private final JdbcTemplate jdbc;

	PruneBounds(ProjectorServices services) {
		this.services = services;
		this.durables = new Durables(services.nats());
		this.jdbc = new JdbcTemplate(services.dataSource());
	}

	/**
	 * Returns the bound of a projector. Empty if it has none: it has never run, its
	 * durable is missing, or its durable or stream does not match the saved state.
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if no stream carries
	 * its subjects
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	Optional<PruneBound> of(ProjectorEndpoint endpoint) {
		Instant now = this.services.clock().instant(); // before any request
		return endpoint.readsEventStore() ? inStore(endpoint, now) : inStream(endpoint, now);
	}

	private Optional<PruneBound> inStore(ProjectorEndpoint endpoint, Instant now) {
		return new JdbcCheckpoints(this.jdbc, this.services.schema(), endpoint.id()).find()
			.map((row) -> this.services.store().log().recordedBehind(row.position()))
			.map((first) -> new PruneBound(endpoint.id(), null, earlier(first.orElse(null), now)));
	}

	private Optional<PruneBound> inStream(ProjectorEndpoint endpoint, Instant now) {
		this.services.nats().requireConnected();
		DurableSpec spec = DurableSpecs.of(endpoint, this.services.streams());
		JdbcPositions.Saved saved = new JdbcPositions(this.jdbc, this.services.schema(), endpoint.id())
			.find(spec.stream());
		if (saved == null || !isWhereItWasLeft(this.durables.find(spec), saved)) {
			return Optional.empty();
		}
		Instant first = this.durables.firstBehind(spec, saved.floor());
		return Optional.of(new PruneBound(endpoint.id(), spec.stream(), earlier(first, now)));
	}

	private static boolean isWhereItWasLeft(@Nullable DurableState standing, JdbcPositions.Saved saved) {
		return standing != null && standing.streamCreated().equals(saved.streamCreated())
				&& standing.floor() >= saved.floor();
	}

	private static Instant earlier(@Nullable Instant first, Instant now) {
		return (first != null && first.isBefore(now)) ? first : now;
	}

}
