package dev.eventing.sdk.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.eventing.sdk.projector.ProjectorServices.CachedEntity;
import dev.eventing.sdk.projector.ProjectorServices.CachedEntity.Cache;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the entities and collections of a context that are kept in a second-level cache,
 * whether by an annotation, a mapping file or {@code shared-cache-mode}. If no cache is
 * configured, an annotation alone keeps nothing. Any entity may be in a result of a
 * query, so with a cache of queries each counts.
 */
final class CachedEntities implements Supplier<List<CachedEntity>> {

	static final String METAMODEL = "org.hibernate.metamodel.MappingMetamodel";

	static final String ENTITY = "org.hibernate.persister.entity.EntityPersister";

	static final String COLLECTION = "org.hibernate.persister.collection.CollectionPersister";

	private final SessionFactories factories;

	CachedEntities(ListableBeanFactory beans) {
		this.factories = new SessionFactories(beans);
	}

	@Override
	public List<CachedEntity> get() {
		return this.factories.ask((name, sessions) -> find(sessions)).stream().flatMap(List::stream).toList();
	}

	private List<CachedEntity> find(Object sessions) throws ReflectiveOperationException {
		Object metamodel = ask(SessionFactories.SESSIONS, "getMappingMetamodel", sessions);
		boolean queries = keepsQueries(sessions);
		List<CachedEntity> found = new ArrayList<>();
		for (Object entity : all(metamodel, "streamEntityDescriptors")) {
			if (Boolean.TRUE.equals(ask(ENTITY, "canReadFromCache", entity))) {
				found.add(entity(entity, Cache.SECOND_LEVEL));
			}
			if (queries) {
				found.add(entity(entity, Cache.QUERIES));
			}
		}
		for (Object collection : all(metamodel, "streamCollectionDescriptors")) {
			if (Boolean.TRUE.equals(ask(COLLECTION, "hasCache", collection))) {
				found.add(new CachedEntity("Collection '" + ask(COLLECTION, "getRole", collection) + "'",
						tables(ask(COLLECTION, "getCollectionSpaces", collection)), Cache.SECOND_LEVEL));
			}
		}
		return found;
	}

	/** If there is no cache, Hibernate answers no, whatever the property is. */
	private boolean keepsQueries(Object sessions) throws ReflectiveOperationException {
		Object options = ask(SessionFactories.SESSIONS, "getSessionFactoryOptions", sessions);
		return Boolean.TRUE.equals(ask(TenantResolvers.OPTIONS, "isQueryCacheEnabled", options));
	}

	private CachedEntity entity(Object entity, Cache cache) throws ReflectiveOperationException {
		return new CachedEntity("Entity '" + ask(ENTITY, "getEntityName", entity) + "'",
				tables(ask(ENTITY, "getQuerySpaces", entity)), cache);
	}

	private List<?> all(Object metamodel, String method) throws ReflectiveOperationException {
		return ((Stream<?>) ask(METAMODEL, method, metamodel)).toList();
	}

	private Object ask(String type, String method, Object target) throws ReflectiveOperationException {
		return Objects.requireNonNull(this.factories.call(type, method, target));
	}

	private static List<String> tables(Object spaces) {
		return Arrays.stream((Object[]) spaces).map(String::valueOf).toList();
	}

}
