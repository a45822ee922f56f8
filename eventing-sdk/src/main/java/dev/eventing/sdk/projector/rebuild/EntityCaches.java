package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.projector.ProjectorServices.CachedEntity;

/**
 * Refuses tables whose rows a cache of JPA keeps. A second-level cache knows entities by
 * their identifiers alone, and the cache of queries knows results by the text of the
 * query. So a handler of one generation would find another generation's rows in it.
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
				.ifPresent((table) -> refusals.add(refusal(entity, table)));
		}
		return refusals;
	}

	private static String refusal(CachedEntity entity, String table) {
		String kept = switch (entity.cache()) {
			case SECOND_LEVEL ->
				"is kept in JPA's second-level cache. Handlers of a new generation would find rows of the"
						+ " live one in it. Consider @Cacheable(false), or another shared-cache-mode.";
			case QUERIES -> "may be in results that Hibernate's query cache keeps. Handlers of a new generation would"
					+ " find rows of the live one in them, and readers rows of the former one after a switch. Consider"
					+ " hibernate.cache.use_query_cache=false.";
		};
		return entity.description() + " of table '" + table + "' " + kept;
	}

	/** Without a schema and quotation marks. */
	private static String simple(String table) {
		return table.substring(table.lastIndexOf('.') + 1).replaceAll("[\"`]", "").toLowerCase(Locale.ROOT);
	}

}
