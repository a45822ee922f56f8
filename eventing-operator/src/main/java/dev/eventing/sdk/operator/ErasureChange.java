package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * A requested erasure.
 *
 * @param tenant the tenant of the stream
 * @param stream the stream of the event store
 * @param reason the reason, for the audit
 * @param dryRun whether only to look what would go
 * @param yes must be true unless it is a dry run, because an erasure cannot be undone
 * @param actor the actor that the request names
 */
public record ErasureChange(@Nullable String tenant, @Nullable String stream, @Nullable String reason, boolean dryRun,
		boolean yes, @Nullable String actor) implements ChangeBody {

	/** As the command does, also for a dry run. */
	@Override
	public boolean needsActor() {
		return true;
	}

}
