package dev.eventing.sdk.cli;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterFilter.TimeRange;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select letters. A letter must match all of them. */
final class FilterOptions {

	@Option(names = "--projector", paramLabel = "NAME", order = 1, description = "Letters of this projector.")
	private @Nullable String projector;

	@Option(names = "--type", paramLabel = "TYPE", order = 2, description = "Letters of events of this type.")
	private @Nullable String type;

	@Option(names = "--error", paramLabel = "CLASS", order = 3,
			description = "Letters whose last error has this class, with or without its package.")
	private @Nullable String error;

	@Option(names = "--key", paramLabel = "KEY", order = 4, description = "Letters of this key, such as an order's id.")
	private @Nullable String key;

	@Option(names = "--status", paramLabel = "STATUS", order = 5,
			description = "Letters with this status: ${COMPLETION-CANDIDATES}.")
	private @Nullable DeadLetterStatus status;

	@Option(names = "--since", paramLabel = "TIME", order = 6,
			description = "Dead at this time or later: 2h for two hours ago, or 2026-01-31T13:45:00Z.")
	private @Nullable Instant since;

	@Option(names = "--until", paramLabel = "TIME", order = 7, description = "Dead before this time.")
	private @Nullable Instant until;

	DeadLetterFilter filter() {
		return new DeadLetterFilter(Set.of(), this.projector, null, this.type, this.error, this.key, this.status,
				new TimeRange(this.since, this.until));
	}

	/** The filter of the options. Selects all letters only with {@code --all}. */
	DeadLetterFilter chosen(Set<UUID> letterIds, boolean all) {
		DeadLetterFilter filter = filter().withLetterIds(letterIds);
		boolean none = filter.equals(DeadLetterFilter.ALL);
		if (none && !all) {
			throw new UsageException("The command selects no letters. Consider their ids, a filter, or --all.");
		}
		if (!none && all) {
			throw new UsageException("--all cannot be combined with ids or filters. Consider leaving it out.");
		}
		return filter;
	}

}
