package dev.eventing.sdk.projector.feed;

import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.SchemaIdentity;

/**
 * The context of a feed.
 *
 * @param endpoint the projector
 * @param services the services that all projectors share
 * @param projectorLease this node's right to run the projector
 * @param transactions the transactions of the projector
 * @param attempts the attempts of the projector
 * @param identity the identity of the SDK's tables
 * @param stopping counted down when the projector must stop
 * @param pause whether it takes no events for now
 * @param counters what the projector has done with events
 * @param hold what a backfill asks of the live feed
 */
public record FeedContext(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorLease projectorLease,
		FencedTransactions transactions, JdbcAttempts attempts, SchemaIdentity identity, CountDownLatch stopping,
		PauseSwitch pause, ProjectorCounters counters, BackfillHold hold) {
}
