package dev.eventing.sdk.deadletter.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A filter as SQL: a condition on the row {@code d} of the ledger, with named parameters.
 *
 * @param sql one condition, never empty
 * @param params the values of its parameters
 * @param description the filter as text
 */
public record LetterConditions(String sql, Map<String, Object> params, String description) {

	/**
	 * The condition for letters of live generations. It uses {@code like}, because the
	 * planner knows from its statistics that nearly all names match. For {@code strpos}
	 * it would assume one of 200, and sort all letters for a page.
	 */
	public static final String LIVE = ProjectorId.liveIn("d.projector_name");

	/**
	 * Returns the condition for the letters that match. Letters of a generation that is
	 * not live match only if the filter names it, as in {@code orders#2}.
	 * @param scope the only tenant whose letters may match, or null for all
	 */
	public static LetterConditions of(DeadLetterFilter filter, @Nullable TenantId scope) {
		Conditions conditions = new Conditions();
		conditions.tenant("scope", scope);
		conditions.tenant("tenant", filter.tenantId());
		conditions.ids(filter.letterIds());
		conditions.text("projector", "d.projector_name", filter.projector());
		conditions.longText("type", "d.event_type", filter.eventType());
		conditions.errorClass(filter.errorClass());
		conditions.longText("key", "d.ordering_key", filter.orderingKey());
		DeadLetterStatus status = filter.status();
		conditions.text("status", "d.status", (status != null) ? status.name() : null);
		conditions.time("since", "d.dead_at >=", filter.dead().from());
		conditions.time("until", "d.dead_at <", filter.dead().before());
		boolean beside = filter.projector() != null && ProjectorId.isOfGeneration(filter.projector());
		return conditions.all(beside ? "true" : LIVE);
	}

	/** Returns the condition for the letter with this id, if it is in the scope. */
	public static LetterConditions of(UUID letterId, @Nullable TenantId scope) {
		return of(DeadLetterFilter.of(letterId), scope);
	}

	private static final class Conditions {

		private final List<String> sql = new ArrayList<>();

		private final Map<String, Object> params = new LinkedHashMap<>();

		private final List<String> words = new ArrayList<>();

		void tenant(String name, @Nullable TenantId tenant) {
			text(name, "d.tenant_id", (tenant != null) ? tenant.value() : null);
		}

		void ids(Collection<UUID> ids) {
			if (!ids.isEmpty()) {
				add("ids", "d.letter_id = any (:ids)", UuidArray.of(ids), ids.size() + " given");
			}
		}

		void text(String name, String column, @Nullable String value) {
			if (value != null) {
				add(name, column + " = :" + name, StorableText.of(value), value);
			}
		}

		/**
		 * The indexes contain the first 100 characters. They narrow the search, and the
		 * whole text decides.
		 */
		void longText(String name, String column, @Nullable String value) {
			if (value != null) {
				String condition = "left(%1$s, 100) = left(:%2$s, 100) and %1$s = :%2$s".formatted(column, name);
				add(name, condition, StorableText.of(value), value);
			}
		}

		/**
		 * A class without a package, as in lists, matches in every package. No index
		 * supports this. The statement reads the rows that the other conditions leave.
		 */
		void errorClass(@Nullable String value) {
			if (value == null || value.isEmpty() || value.indexOf('.') >= 0) {
				longText("error", "d.error_class", value);
				return;
			}
			add("error", "(d.error_class = :error or right(d.error_class, length(:error) + 1) = '.' || :error)",
					StorableText.of(value), value);
		}

		void time(String name, String comparison, @Nullable Instant value) {
			if (value != null) {
				add(name, comparison + " :" + name, value.atOffset(ZoneOffset.UTC), value.toString());
			}
		}

		private void add(String name, String condition, Object value, String word) {
			this.sql.add(condition);
			this.params.put(name, value);
			this.words.add(name + "=" + word);
		}

		LetterConditions all(String generations) {
			if (this.sql.isEmpty()) {
				return new LetterConditions(generations, Map.of(), "all");
			}
			return new LetterConditions(generations + " and " + String.join(" and ", this.sql), Map.copyOf(this.params),
					StorableText.of(String.join(" ", this.words)));
		}

	}

}
