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
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A filter as SQL: conditions on the row {@code d} of the ledger, with named parameters.
 *
 * @param sql one condition, never empty
 * @param params what its parameters stand for
 * @param description the filter in words
 */
public record LetterConditions(String sql, Map<String, Object> params, String description) {

	/**
	 * The letters that fit.
	 * @param scope the only tenant whose letters may be meant, or null: any
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
		return conditions.all();
	}

	/** The letter with this id, if it is within reach. */
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

		/** The indexes have the first 100 characters: those narrow down, all decide. */
		void longText(String name, String column, @Nullable String value) {
			if (value != null) {
				String condition = "left(%1$s, 100) = left(:%2$s, 100) and %1$s = :%2$s".formatted(column, name);
				add(name, condition, StorableText.of(value), value);
			}
		}

		/**
		 * A class without a package is what lists print, so it is looked for in every
		 * package. No index has that: the rows that the other conditions leave are read.
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

		LetterConditions all() {
			if (this.sql.isEmpty()) {
				return new LetterConditions("true", Map.of(), "all");
			}
			return new LetterConditions(String.join(" and ", this.sql), Map.copyOf(this.params),
					StorableText.of(String.join(" ", this.words)));
		}

	}

}
