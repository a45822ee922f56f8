package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The last result of a check; see {@link ReconciliationResult}.
 *
 * @param check the check's name
 * @param generation the number of the generation beside the live one; null for the live
 * one
 * @param at when it ran
 * @param actor who ran it
 * @param answered whether there is an answer
 * @param found what it found; null within the scope of a tenant: it counts the rows of
 * all
 * @param sample the first rows that differ; within the scope of a tenant only the rows
 * whose {@code tenant_id} is the tenant
 */
public record CheckView(String check, @Nullable Integer generation, Instant at, String actor, boolean answered,
		@Nullable Found found, List<JsonNode> sample) {

	private static final JsonMapper JSON = EventJson.mapper();

	private static final String TENANT = "tenant_id";

	/**
	 * The view of a result.
	 * @param tenant the tenant to whose scope the reader is bound; null for all
	 */
	public static CheckView of(ReconciliationResult result, @Nullable String tenant) {
		Answer answer = result.answer();
		List<JsonNode> rows = (answer != null) ? answer.sample().stream().map(JSON::readTree).toList() : List.of();
		return new CheckView(result.check(), result.run().generation(), result.run().at(), result.run().actor(),
				answer != null, (tenant == null) ? Found.of(result) : null,
				rows.stream().filter((row) -> tenant == null || isOf(row, tenant)).toList());
	}

	private static boolean isOf(JsonNode row, String tenant) {
		JsonNode value = row.get(TENANT);
		return value != null && value.isString() && value.stringValue().equals(tenant);
	}

	/**
	 * The findings of a check in the rows of all tenants.
	 *
	 * @param durationMillis how long it took
	 * @param position the projector's position in the event store, or the sequence of a
	 * generation that is fed from JetStream; null without an answer
	 * @param differences how many rows differ; null without an answer
	 * @param error why there is no answer; null if there is one
	 */
	public record Found(long durationMillis, @Nullable Long position, @Nullable Long differences,
			@Nullable String error) {

		static Found of(ReconciliationResult result) {
			Answer answer = result.answer();
			return new Found(result.run().duration().toMillis(), (answer != null) ? (Long) answer.position() : null,
					(answer != null) ? (Long) answer.differences() : null, result.error());
		}

	}

}
