package dev.eventing.sdk.cli;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.Until;
import org.jspecify.annotations.Nullable;

/**
 * Read models as JSON. Names and their order are part of the commands' contract. Missing
 * values are null.
 */
final class ProjectionJson {

	private ProjectionJson() {
	}

	static Map<String, @Nullable Object> request(ProjectionRequest request) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("id", request.id());
		json.put("projector", request.projection());
		json.put("action", request.what().action().name());
		json.put("generation", request.what().generation());
		json.put("unchecked", request.what().isUnchecked());
		json.put("acceptsLostColumns", request.what().acceptsLostColumns());
		json.put("schema", request.what().schema());
		json.put("rate", request.what().build().rate());
		json.put("maxBytes", request.what().build().maxBytes());
		Until until = request.what().build().until();
		json.put("until", (until != null) ? until.text() : null);
		ScopedRebuild part = request.what().part();
		json.put("part", (part != null) ? part.scope().describe() : null);
		json.put("status", request.state().status().name());
		json.put("detail", request.state().detail());
		json.put("actor", request.by().actor());
		json.put("reason", request.by().reason());
		json.put("requestedAt", request.requestedAt().toString());
		json.put("expiresAt", request.expiresAt().toString());
		json.put("endedAt", text(request.endedAt()));
		return json;
	}

	static Map<String, @Nullable Object> generation(ProjectionGeneration generation) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("generation", generation.generation());
		json.put("version", generation.version());
		json.put("status", generation.status().name());
		json.put("filledTo", generation.filledTo());
		json.put("begunAt", generation.times().begunAt().toString());
		json.put("liveAt", text(generation.times().liveAt()));
		json.put("retiredAt", text(generation.times().retiredAt()));
		json.put("schema", generation.schema());
		json.put("failure", generation.failure());
		json.put("note", generation.note());
		return json;
	}

	private static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? time.toString() : null;
	}

	static @Nullable String readable(@Nullable Instant time) {
		return (time != null) ? Times.readable(time) : null;
	}

}
