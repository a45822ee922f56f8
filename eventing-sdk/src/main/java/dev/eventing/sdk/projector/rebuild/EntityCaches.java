package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.projector.ProjectorServices.CachedEntity;

/**
 * Refuses tables whose rows a second-level cache keeps. It knows entities by their
 * identifiers alone, so a handler of one generation would find another generation's
 * entities in it.
 */
final class EntityCaches {

	private EntityCaches() {
	}

	/** Why tables cannot have two generations, one sentence for each entity. */
	static List<String> refusals(Collection<String> tables, List<CachedEntity> cached) {
		Set<String> declared = tables.stream().map(EntityCaches::simple).collect(Collectors.toSet());
		List<String> refusals = new ArrayList<>();
		for (CachedEntity entity : cached) {
			entity.tables()
				.stream()
				.filter((table) -> declared.contains(simple(table)))
				.findFirst()
				.ifPresent((table) -> refusals.add(entity.description() + " of table '" + table
						+ "' is kept in JPA's second-level cache. Handlers of a new generation would find rows of the"
						+ " live one in it. Consider @Cacheable(false), or another shared-cache-mode."));
		}
		return refusals;
	}

	/** Without a schema and quotation marks. */
	private static String simple(String table) {
		return table.substring(table.lastIndexOf('.') + 1).replaceAll("[\"`]", "").toLowerCase(Locale.ROOT);
	}

}
