package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;

/**
 * Projectors as JSON. Names and their order are part of the commands' contract. Missing
 * values are null.
 */
final class ProjectorJson {

	private ProjectorJson() {
	}

	static Map<String, @Nullable Object> overview(ProjectorOverview projector) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", projector.name());
		json.put("generation", projector.generation().number());
		json.put("role", projector.generation().role());
		json.put("status", projector.status().state());
		json.put("detail", projector.status().detail());
		json.put("paused", projector.status().paused());
		json.put("position", projector.position());
		json.put("behindEvents", projector.behind().events());
		json.put("behindSeconds", seconds(projector.behind().time()));
		json.put("owner", projector.owner());
		json.put("openLetters", projector.openLetters());
		json.put("updatedAt", (projector.updatedAt() != null) ? projector.updatedAt().toString() : null);
		return json;
	}

	static @Nullable Double seconds(@Nullable Duration time) {
		return (time != null) ? Double.valueOf(time.toMillis() / 1000.0) : null;
	}

}
