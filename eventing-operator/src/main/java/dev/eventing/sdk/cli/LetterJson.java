package dev.eventing.sdk.cli;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Counts and redrives of letters as JSON. Names and their order are part of the commands'
 * contract. Missing values are null.
 */
final class LetterJson {

	private LetterJson() {
	}

	static Map<String, @Nullable Object> stats(DeadLetterStats stats) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("groups", stats.groups().stream().map(LetterJson::group).toList());
		json.put("overTime",
				stats.overTime()
					.stream()
					.map((interval) -> Map.of("from", interval.from().toString(), "letters", interval.letters()))
					.toList());
		return json;
	}

	private static Map<String, @Nullable Object> group(DeadLetterStats.Group group) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("projector", group.projector());
		json.put("tenantId", tenant(group.tenantId()));
		json.put("eventType", group.eventType());
		json.put("reason", group.reason());
		json.put("errorClass", group.errorClass());
		json.put("status", group.status().name());
		json.put("letters", group.letters());
		json.put("oldest", group.dead().oldest().toString());
		json.put("newest", group.dead().newest().toString());
		return json;
	}

	static Map<String, @Nullable Object> redrive(Redrive redrive, @Nullable RedriveProgress progress) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("redriveId", redrive.redriveId());
		json.put("selected", redrive.selected());
		json.put("followers", redrive.followers());
		json.put("byProjector", redrive.byProjector());
		if (progress != null) {
			json.put("waiting", progress.waiting());
			json.put("resolved", progress.resolved());
			json.put("parked", progress.parked());
			json.put("discarded", progress.discarded());
		}
		return json;
	}

	private static @Nullable String tenant(@Nullable TenantId tenant) {
		return (tenant != null) ? tenant.value() : null;
	}

}
