package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import org.jspecify.annotations.Nullable;

/** Counts of letters; see {@link DeadLetterStats}. */
public record StatsView(List<Group> groups, List<DeadLetterStats.Interval> overTime) {

	/** The counts as JSON. */
	public static StatsView of(DeadLetterStats stats) {
		return new StatsView(stats.groups().stream().map(Group::of).toList(), stats.overTime());
	}

	/** Letters with common properties; see {@link DeadLetterStats.Group}. */
	public record Group(String projector, @Nullable String tenantId, @Nullable String eventType, String reason,
			@Nullable String errorClass, DeadLetterStatus status, long letters, Instant oldest, Instant newest) {

		static Group of(DeadLetterStats.Group group) {
			return new Group(group.projector(), LetterRow.text(group.tenantId()), group.eventType(), group.reason(),
					group.errorClass(), group.status(), group.letters(), group.dead().oldest(), group.dead().newest());
		}

	}

}
