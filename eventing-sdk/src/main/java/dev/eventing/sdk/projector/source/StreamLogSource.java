package dev.eventing.sdk.projector.source;

import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.FillingFeed;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A stream of JetStream that is read like a log, while a generation is filled from it. A
 * live generation has its place there only for that time.
 */
final class StreamLogSource implements RunSource {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorId generation;

	StreamLogSource(ProjectorEndpoint endpoint, ProjectorServices services, Filling filling) {
		this.endpoint = endpoint;
		this.services = services;
		this.generation = filling.id();
	}

	@Override
	public boolean awaitsSignals() {
		return false;
	}

	@Override
	public Checkpoint checkpoint(FencedTransactions transactions) {
		JdbcTemplate jdbc = new JdbcTemplate(this.services.dataSource());
		return new Checkpoint(this.endpoint.id(), new JdbcCheckpoints(jdbc, this.services.schema(), this.generation),
				new PrimaryHistory(jdbc), transactions);
	}

	@Override
	public Feed feed(FeedParts parts) {
		return new FillingFeed(parts.context(), Objects.requireNonNull(parts.checkpoint()), parts.coverage(),
				parts.inFlight(), parts.lanes(), Objects.requireNonNull(parts.fill()));
	}

	@Override
	public @Nullable AdvisoryReader advisories(FeedContext context, InFlight inFlight, WorkReceiver lanes) {
		return null;
	}

}
