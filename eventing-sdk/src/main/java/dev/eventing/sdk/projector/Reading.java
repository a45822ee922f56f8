package dev.eventing.sdk.projector;

import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.schema.SchemaIdentity;

/**
 * What a feed reads for.
 *
 * @param endpoint the projector
 * @param services what all projectors share
 * @param tenure how long this node may run the projector
 * @param transactions those of the projector
 * @param attempts its attempts
 * @param identity that of the SDK's tables
 * @param stopping open until it is to stop
 */
record Reading(ProjectorEndpoint endpoint, ProjectorServices services, Tenure tenure, FencedTransactions transactions,
		JdbcAttempts attempts, SchemaIdentity identity, CountDownLatch stopping) {
}
