package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.projection.ProjectionRequest.Status;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G11: a second-level cache of JPA knows entities by their identifiers alone, and a cache
 * of queries by the text of the query. So one that may hold rows of a read model refuses
 * a build beside the live generation.
 */
class G11EntityCachesIT {

	private static final String WHY = "' is kept in JPA's second-level cache. Handlers of a new generation"
			+ " would find rows of the live one in it. Consider @Cacheable(false), or another shared-cache-mode.";

	private static final String QUERIES = "' of table 'balance' may be in results that Hibernate's query cache keeps."
			+ " Handlers of a new generation would find rows of the live one in them, and readers rows of the former"
			+ " one after a switch. Consider hibernate.cache.use_query_cache=false.";

	@AutoClose
	private final World world = World.create();

	private final Generations generations = new Generations(this.world, "balances");

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table balance (account text primary key, total bigint not null)");
	}

	@Test
	void refusesAnEntityThatIsCacheable() {
		try (AnnotationConfigApplicationContext application = start(Kept.class, "ENABLE_SELECTIVE")) {
			assertThatTheBuildIsRefused(Kept.class, "public.balance");
		}
	}

	@Test
	void refusesAnyEntityWhereAllAreShared() {
		try (AnnotationConfigApplicationContext application = start(JpaProjectorIT.Balance.class, "ALL")) {
			this.world.append(World.ACME, "a", 1, 3);
			assertThatTheBuildIsRefused(JpaProjectorIT.Balance.class, "balance");
		}
	}

	/** Whether the entities are kept as well does not matter. */
	@Test
	void refusesAnyEntityWhereResultsOfQueriesAreKept() {
		try (AnnotationConfigApplicationContext application = start(JpaProjectorIT.Balance.class, "NONE", true)) {
			assertThatTheBuildIsRefused("Entity '" + JpaProjectorIT.Balance.class.getName() + QUERIES);
		}
	}

	@Test
	void buildsWhereNothingOfTheReadModelIsKept() {
		try (AnnotationConfigApplicationContext application = start(Kept.class, "NONE")) {
			assertThat(this.generations.build()).isEqualTo(2);
			this.generations.retire(2);
		}
		try (AnnotationConfigApplicationContext application = start(JpaProjectorIT.Balance.class, "ENABLE_SELECTIVE")) {
			assertThat(this.generations.build()).isEqualTo(3);
		}
	}

	private void assertThatTheBuildIsRefused(Class<?> entity, String table) {
		assertThatTheBuildIsRefused("Entity '" + entity.getName() + "' of table '" + table + WHY);
	}

	private void assertThatTheBuildIsRefused(String detail) {
		this.generations.requestBuild();
		this.generations.awaitEnd();
		assertThat(this.generations.status()).isEqualTo(Status.FAILED);
		assertThat(this.generations.detail()).isEqualTo(detail);
		this.generations.assertThatNothingIsLeft();
	}

	private AnnotationConfigApplicationContext start(Class<?> entity, String sharedCacheMode) {
		return start(entity, sharedCacheMode, false);
	}

	private AnnotationConfigApplicationContext start(Class<?> entity, String sharedCacheMode, boolean ofQueries) {
		Map<String, Object> caching = Map.of("hibernate.cache.region.factory_class", new Regions(),
				"jakarta.persistence.sharedCache.mode", sharedCacheMode, "hibernate.cache.use_query_cache", ofQueries);
		return this.world.start(WorldApplication.of(new G11BuildHandlersIT.Entities())
			.customize((context) -> JpaProjectorIT.throughJpa(context, entity, caching)));
	}

	/** A row of the read model. */
	@Entity
	@Cacheable
	@Table(name = "balance", schema = "public")
	static class Kept {

		@Id
		private String account;

	}

	/** A second-level cache on the heap. */
	private static final class Regions extends RegionFactoryTemplate {

		private static final long serialVersionUID = 1L;

		@Override
		protected StorageAccess createQueryResultsRegionStorageAccess(String region,
				SessionFactoryImplementor factory) {
			return new Storage();
		}

		@Override
		protected StorageAccess createTimestampsRegionStorageAccess(String region, SessionFactoryImplementor factory) {
			return new Storage();
		}

		@Override
		protected DomainDataStorageAccess createDomainDataStorageAccess(DomainDataRegionConfig config,
				DomainDataRegionBuildingContext context) {
			return new Storage();
		}

		@Override
		protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> values) {
		}

		@Override
		protected void releaseFromUse() {
		}

	}

	/** The entries of a region. */
	private static final class Storage implements DomainDataStorageAccess {

		private final Map<Object, Object> values = new ConcurrentHashMap<>();

		@Override
		public @Nullable Object getFromCache(Object key, SharedSessionContractImplementor session) {
			return this.values.get(key);
		}

		@Override
		public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
			this.values.put(key, value);
		}

		@Override
		public boolean contains(Object key) {
			return this.values.containsKey(key);
		}

		@Override
		public void evictData() {
			this.values.clear();
		}

		@Override
		public void evictData(Object key) {
			this.values.remove(key);
		}

		@Override
		public void release() {
			this.values.clear();
		}

	}

}
