package dev.eventing.sdk.projection;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What would come of a request, as far as the database knows.
 *
 * @param obstacles why it would be refused, one sentence each; empty if nothing is known
 * to stand in the way
 * @param notes what else is to be known beforehand, one sentence each
 * @param tables the bytes that each live table takes with its indexes, in the order of
 * the names; empty if the live generation declares none
 * @param free the bytes that are free on the disk, by the function {@code free_space()}
 * in the SDK's schema; null if there is none, or if the request takes no space
 */
public record RequestPlan(List<String> obstacles, List<String> notes, Map<String, Long> tables, @Nullable Long free) {

	public RequestPlan {
		obstacles = List.copyOf(obstacles);
		notes = List.copyOf(notes);
		tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
	}

	/** The bytes of all tables. */
	public long bytes() {
		return this.tables.values().stream().mapToLong(Long::longValue).sum();
	}

}
