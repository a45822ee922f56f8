package dev.eventing.sdk.projector.source;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.projection.ledger.BackfillLedger;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.backfill.BackfillFeed;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.store.AppliedElsewhere;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.feed.store.StoreFeed;
import dev.eventing.sdk.projector.inline.InlineFeed;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** The event store. */
final class StoreSource implements EventSource {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final JdbcCheckpoints checkpoints;

	StoreSource(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.checkpoints = new JdbcCheckpoints(this.jdbc, services.schema(), endpoint.id());
	}

	@Override
	public void check() {
		// its tables are checked when the application starts
	}

	@Override
	public boolean awaitsSignals() {
		return false;
	}

	@Override
	public Checkpoint checkpoint(FencedTransactions transactions) {
		return new Checkpoint(this.endpoint.id(), this.checkpoints, new PrimaryHistory(this.jdbc), transactions);
	}

	@Override
	public Feed feed(FeedParts parts) {
		Checkpoint checkpoint = Objects.requireNonNull(parts.checkpoint());
		if (parts.fill() != null) {
			return log(parts, checkpoint, AppliedElsewhere.NONE);
		}
		// Also if appends do not run the handlers: they may have done so before.
		Feed live = new InlineFeed(parts.context(), checkpoint, parts.handlers(), parts.coverage()::settledTo,
				(elsewhere) -> log(parts, checkpoint, elsewhere));
		return (parts.backfill() != null)
				? new BackfillFeed(live, parts.backfill(), parts.context(), parts.inFlight(), parts.lanes()) : live;
	}

	private static StoreFeed log(FeedParts parts, Checkpoint checkpoint, AppliedElsewhere elsewhere) {
		return new StoreFeed(parts.context(), checkpoint, parts.coverage(), parts.inFlight(), parts.lanes(),
				parts.fill(), elsewhere);
	}

	@Override
	public @Nullable AdvisoryReader advisories(FeedContext context, InFlight inFlight, WorkReceiver lanes) {
		return null;
	}

	@Override
	public Progress progress(List<ProjectorEndpoint> versions) {
		Progress stored = new StoredProgress(this.jdbc, this.services.schema(), this.endpoint.id());
		return this.endpoint.isInline()
				? new InlineProgress(stored, new InlineLedger(this.jdbc, this.services.schema(), this.endpoint.id()))
				: stored;
	}

	@Override
	public Optional<PruneBound> pruneBound() {
		Instant now = this.services.clock().instant(); // before any request
		return this.checkpoints.find()
			.map((row) -> this.services.store().log().recordedBehind(row.position()))
			.map((first) -> PruneBound.of(this.endpoint.id(), null, first.orElse(null), now));
	}

	/** A backfill applies what has no row. */
	@Override
	public boolean needsOldRows() {
		return new BackfillLedger(this.jdbc, this.services.schema()).open(this.endpoint.id().base()).isPresent();
	}

}
