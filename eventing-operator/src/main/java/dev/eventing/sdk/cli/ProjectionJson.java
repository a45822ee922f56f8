package dev.eventing.sdk.cli;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BackfillProgress;
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
		addBackfill(json, request);
		json.put("status", request.state().status().name());
		json.put("detail", request.state().detail());
		json.put("actor", request.by().actor());
		json.put("reason", request.by().reason());
		json.put("requestedAt", request.requestedAt().toString());
		json.put("expiresAt", request.expiresAt().toString());
		json.put("endedAt", text(request.endedAt()));
		return json;
	}

	private static void addBackfill(Map<String, @Nullable Object> json, ProjectionRequest request) {
		BackfillOptions backfill = request.what().backfill();
		if (backfill != null) {
			json.put("types", backfill.types());
			json.put("handler", backfill.handler());
			json.put("to", backfill.to());
			json.put("rate", backfill.rate());
			json.put("progress", progress(request.state().progress()));
		}
	}

	private static @Nullable Map<String, @Nullable Object> progress(@Nullable BackfillProgress progress) {
		if (progress == null) {
			return null;
		}
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("events", progress.events());
		json.put("position", progress.position());
		json.put("upTo", progress.upTo());
		json.put("percent", progress.percent());
		json.put("positionsPerSecond", progress.positionsPerSecond());
		json.put("secondsLeft", (progress.timeLeft() != null) ? (Long) progress.timeLeft().toSeconds() : null);
		json.put("begunAt", progress.begunAt().toString());
		json.put("updatedAt", progress.updatedAt().toString());
		return json;
	}

	/** What a request waits for, or how far it is; null if there is nothing to say. */
	static @Nullable String detail(ProjectionRequest request) {
		BackfillProgress progress = request.state().progress();
		if (progress == null || request.state().status() != ProjectionRequest.Status.RUNNING) {
			return request.state().detail();
		}
		String text = String.format(Locale.ROOT, "%,d events, position %d of %d (%d %%)", progress.events(),
				progress.position(), progress.upTo(), progress.percent());
		return (progress.timeLeft() == null) ? text : text + String.format(Locale.ROOT,
				", %,.0f positions/s, %d s left", progress.positionsPerSecond(), progress.timeLeft().toSeconds());
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
