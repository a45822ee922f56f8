package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * A requested change of a projector.
 *
 * @param projector its name
 * @param actor who answers for the change
 * @param reason the reason; a pause needs one
 * @param dryRun whether only to look what would change
 * @param tenant the tenant to whose scope the caller is bound; nothing is changed then.
 * Null for all tenants
 */
public record ProjectorChange(@Nullable String projector, @Nullable String actor, @Nullable String reason,
		boolean dryRun, @Nullable String tenant) {
}
