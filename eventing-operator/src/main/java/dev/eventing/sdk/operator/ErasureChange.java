package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * A requested erasure.
 *
 * @param tenant the tenant of the stream
 * @param stream the stream of the event store
 * @param actor who answers for the erasure
 * @param reason the reason, for the audit
 * @param dryRun whether only to look what would go
 * @param yes must be true unless it is a dry run, because an erasure cannot be undone
 */
public record ErasureChange(@Nullable String tenant, @Nullable String stream, @Nullable String actor,
		@Nullable String reason, boolean dryRun, boolean yes) {
}
