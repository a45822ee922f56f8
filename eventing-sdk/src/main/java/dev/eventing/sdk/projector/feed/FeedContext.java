package dev.eventing.sdk.projector.feed;

import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.SchemaIdentity;

/**
 * What a feed reads for.
 *
 * @param endpoint the projector
 * @param services what all projectors share
 * @param projectorLease how long this node may run the projector
 * @param transactions those of the projector
 * @param attempts its attempts
 * @param identity that of the SDK's tables
 * @param stopping open until it is to stop
 */
public record FeedContext(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorLease projectorLease,
		FencedTransactions transactions, JdbcAttempts attempts, SchemaIdentity identity, CountDownLatch stopping) {
}
