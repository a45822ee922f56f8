package dev.eventing.sdk.projector.source;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.jetstream.AdvisoryFeed;
import dev.eventing.sdk.projector.feed.jetstream.DurableSpecs;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions;
import dev.eventing.sdk.projector.feed.jetstream.StreamFeed;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** A durable consumer of JetStream. */
final class StreamSource implements EventSource {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final JdbcPositions positions;

	private final JdbcCoverage coverage;

	StreamSource(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.positions = new JdbcPositions(this.jdbc, services.schema(), endpoint.id());
		this.coverage = new JdbcCoverage(this.jdbc, services.schema(), endpoint.id());
	}

	@Override
	public void check() {
		this.services.streams().carrying(this.endpoint.id(), this.endpoint.stream(), this.endpoint.filterSubjects());
	}

	@Override
	public boolean awaitsSignals() {
		return true;
	}

	@Override
	public @Nullable Checkpoint checkpoint(FencedTransactions transactions) {
		return null;
	}

	@Override
	public Feed feed(FeedParts parts) {
		return new StreamFeed(parts.context(), this.positions, parts.coverage(), parts.inFlight(), parts.lanes());
	}

	@Override
	public @Nullable AdvisoryReader advisories(FeedContext context, InFlight inFlight, WorkReceiver lanes) {
		if (!this.services.deadLetterStream().captureAdvisories()) {
			return null;
		}
		AdvisoryFeed feed = new AdvisoryFeed(context, inFlight, lanes);
		return new AdvisoryReader(feed.worker(), feed::alarm);
	}

	@Override
	public Progress progress(List<ProjectorEndpoint> versions) {
		return new StreamProgress(this.endpoint, versions, this.services, this.jdbc);
	}

	/**
	 * The saved floor decides, because the SDK recreates a lost durable after the saved
	 * floor. An event of a subject counts that only another version listens to: that one
	 * may be live.
	 */
	@Override
	public Optional<PruneBound> pruneBound() {
		Instant now = this.services.clock().instant(); // before any request
		this.services.nats().requireConnected();
		DurableSpec own = DurableSpecs.of(this.endpoint, this.services.streams());
		DurableSpec spec = own.withFilterSubjects(this.coverage.subjectsWith(own.filterSubjects(), own.stream()));
		JdbcPositions.Saved saved = this.positions.find(spec.stream());
		Durables durables = new Durables(this.services.nats());
		if (saved == null || !isWhereItWasLeft(durables.find(spec), saved)) {
			return Optional.empty();
		}
		Instant first = durables.firstBehind(spec, saved.floor());
		return Optional.of(PruneBound.of(this.endpoint.id(), spec.stream(), first, now));
	}

	private static boolean isWhereItWasLeft(@Nullable DurableState standing, JdbcPositions.Saved saved) {
		return standing != null && standing.streamCreated().equals(saved.streamCreated())
				&& standing.floor() >= saved.floor();
	}

}
