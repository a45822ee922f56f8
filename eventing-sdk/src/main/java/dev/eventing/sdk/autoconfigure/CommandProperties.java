package dev.eventing.sdk.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A command that needs the application's code.
 *
 * @param run Command that the application runs instead of starting; then it ends.
 * @param tenant Tenant whose events or streams the command takes; else those of all
 * tenants.
 * @param from First position of the events to verify.
 * @param positions Number of positions that are listed for each type that does not bind.
 * @param fold Name of the fold whose snapshots are rebuilt; else all folds that are
 * beans.
 * @param streams How the ids of the fold's streams begin, to give those without a
 * snapshot one.
 * @param rate Most events that are folded in a second; 0 for no limit.
 * @param dryRun Whether the command only shows what it would do.
 */
@ConfigurationProperties("eventing.command")
record CommandProperties(@Nullable CommandName run, @Nullable String tenant, @DefaultValue("0") long from,
		@DefaultValue("20") int positions, @Nullable String fold, @Nullable String streams, @DefaultValue("0") int rate,
		@DefaultValue("false") boolean dryRun) {
}
