package dev.eventing.sdk.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterStats;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Letters as JSON. Names and their order are part of the commands' contract. Missing
 * values are null.
 */
final class LetterJson {

	static final JsonMapper MAPPER = EventJson.mapper();

	private LetterJson() {
	}

	static Map<String, @Nullable Object> summary(DeadLetterSummary letter) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("letterId", letter.letterId());
		json.put("number", letter.number());
		json.put("projector", letter.projector());
		json.put("tenantId", tenant(letter.tenantId()));
		json.put("eventId", letter.eventId());
		json.put("eventType", letter.eventType());
		json.put("key", letter.orderingKey());
		json.put("reason", letter.reason());
		json.put("behind", letter.behind());
		json.put("errorClass", letter.errorClass());
		json.put("errorMessage", letter.errorMessage());
		json.put("attempts", letter.attempts());
		json.put("redrives", letter.redrives());
		json.put("deadAt", letter.deadAt().toString());
		json.put("status", letter.status().name());
		return json;
	}

	static Map<String, @Nullable Object> letter(DeadLetter letter) {
		Failure failure = letter.failure();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("letterId", letter.letterId());
		json.put("number", letter.number());
		json.put("projector", letter.projector());
		json.put("tenantId", tenant(letter.tenantId()));
		json.put("eventId", letter.eventId());
		json.put("eventType", letter.eventType());
		json.put("key", letter.orderingKey());
		json.put("parkingKey", letter.handling().parkingKey());
		json.put("status", letter.status().name());
		json.put("reason", letter.reason());
		json.put("errorClass", (failure != null) ? failure.errorClass() : null);
		json.put("errorMessage", (failure != null) ? failure.message() : null);
		json.put("stackTrace", (failure != null) ? failure.stackTrace() : null);
		json.put("attempts", letter.attempts());
		json.put("stream", letter.place().stream());
		json.put("streamSequence", letter.place().sequence());
		times(letter, json);
		json.put("redriveId", letter.handling().redriven().redriveId());
		json.put("redrives", letter.handling().redrives());
		json.put("subject", letter.event().subject());
		json.put("headers", letter.event().headers().toMap());
		payload("payload", letter.event(), json);
		payload("editedPayload", letter.handling().edited(), json);
		return json;
	}

	private static void times(DeadLetter letter, Map<String, @Nullable Object> json) {
		json.put("publishedAt", letter.place().storedAt().toString());
		json.put("firstFailedAt", letter.cause().firstFailedAt().toString());
		json.put("deadAt", letter.deadAt().toString());
		json.put("forwardedAt", text(letter.handling().forwardedAt()));
		json.put("nextRedriveAt", text(letter.handling().redriven().nextAt()));
		json.put("closedAt", text(letter.handling().closedAt()));
	}

	private static void payload(String name, @Nullable RawEvent event, Map<String, @Nullable Object> json) {
		String text = (event != null) ? utf8(event.payload()) : null;
		if (event == null || text != null) {
			json.put(name, text);
			json.put(name + "Encoding", (event != null) ? "text" : null);
		}
		else {
			json.put(name, Base64.getEncoder().encodeToString(event.payload()));
			json.put(name + "Encoding", "base64");
		}
	}

	/** The text, or null if the bytes are not UTF-8. */
	static @Nullable String utf8(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	static List<Map<String, @Nullable Object>> audit(List<AuditEntry> entries) {
		return entries.stream().map((entry) -> {
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("at", entry.at().toString());
			json.put("actor", entry.actor());
			json.put("action", entry.action().name());
			json.put("detail", entry.detail());
			return json;
		}).toList();
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

	private static @Nullable String text(@Nullable Object value) {
		return (value != null) ? value.toString() : null;
	}

}
