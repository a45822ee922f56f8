package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of a live read model is rebuilt. */
final class PartOptions {

	@Option(names = "--stream", paramLabel = "STREAM", order = 6,
			description = "Rebuilds the rows of this stream of the tenant. May be repeated.")
	private List<String> streams = List.of();

	@Option(names = "--tenant", paramLabel = "TENANT", order = 7,
			description = "The tenant of the streams. Alone: rebuilds all rows of the tenant. With --window: only its"
					+ " rows.")
	private @Nullable String tenant;

	@Option(names = "--keys-of-letters", paramLabel = "ID", split = ",", order = 8,
			description = "Rebuilds the rows of the streams that these dead letters belong to, and resolves the letters.")
	private List<String> letters = List.of();

	@Option(names = "--window", paramLabel = "FROM..TO", order = 9,
			description = "Rebuilds the time buckets of this window, such as"
					+ " 2026-01-31T00:00:00Z..2026-02-01T00:00:00Z.")
	private @Nullable String window;

	@Option(names = "--max-events", paramLabel = "N", order = 9,
			description = "The most events of one transaction: a larger part is refused (default: 100000).")
	private @Nullable Integer mostEvents;

	/**
	 * Returns the part; null if the whole read model is meant.
	 * @throws UsageException if the options do not name one part
	 */
	@Nullable ScopedRebuild scoped() {
		try {
			RebuildScope scope = RebuildScope.of(this.tenant, this.streams, this.letters, this.window);
			if (scope == null) {
				if (this.mostEvents != null) {
					throw new UsageException("--max-events is for a part of a read model.");
				}
				return null;
			}
			return (this.mostEvents != null) ? new ScopedRebuild(scope, this.mostEvents) : new ScopedRebuild(scope);
		}
		catch (IllegalArgumentException ex) {
			throw new UsageException(String.valueOf(ex.getMessage()));
		}
	}

}
