package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.JpaTenants.Posting;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.Tenancy;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.criteria.CriteriaQuery;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G8: where Hibernate writes the tenant of its session into each row, that is the tenant
 * of the row's event.
 */
class G8JpaTenantsIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final ProjectorSettings ONE_TENANT = ProjectorSettings.builder()
		.tenancy(Tenancy.PER_TRANSACTION)
		.maxDeliver(1)
		.concurrency(1)
		.retryDelay(Duration.ofMillis(50))
		.build();

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("""
				create table posting (id uuid primary key, tenant text not null, expected text not null,
				  account text not null, version bigint not null)""");
	}

	@Test
	void writesEachRowOfABacklogUnderTheTenantOfItsEvent() {
		publishOfTwoTenants(1, 20);
		try (AnnotationConfigApplicationContext application = start(new Postings(), ONE_TENANT)) {
			awaitPostings(40);
			publishOfTwoTenants(21, 30);
			awaitPostings(60);
			assertThatTenantsAreRight();
			assertThat(World.status(application, "postings").counts().failedAttempts()).isZero();
		}
	}

	/** As a repository of Spring Data opens them while the application starts. */
	@Test
	void aResolverMayServeSessionsWithoutATenant() {
		publishOfTwoTenants(1, 5);
		try (AnnotationConfigApplicationContext application = start(new Postings(), ONE_TENANT,
				new JpaTenants.OrNoTenantResolver())) {
			awaitPostings(10);
			assertThatTenantsAreRight();
			try (EntityManager session = application.getBean(EntityManagerFactory.class).createEntityManager()) {
				CriteriaQuery<Posting> all = session.getCriteriaBuilder().createQuery(Posting.class);
				all.from(Posting.class);
				assertThat(session.createQuery(all).getResultList()).isEmpty();
			}
		}
	}

	@Test
	void givesABatchHandlerEventsOfOneTenant() {
		publishOfTwoTenants(1, 20);
		try (AnnotationConfigApplicationContext application = start(new PostingsInBatches(), ONE_TENANT)) {
			awaitPostings(40);
			assertThatTenantsAreRight();
			assertThat(application.getBean(PostingsInBatches.class).mixed).isEmpty();
		}
	}

	@Test
	void redrivesLettersOfSeveralTenantsUnderTheTenantOfEach() {
		Postings postings = new Postings();
		postings.refused.addAll(Set.of("acme", "globex"));
		publishOfTwoTenants(1, 5);
		try (AnnotationConfigApplicationContext application = start(postings, ONE_TENANT)) {
			await().until(() -> this.world.deadLetters("postings").size() == 10);
			postings.refused.clear();
			application.getBean(DeadLetters.class)
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector("postings"), "ops"));
			awaitPostings(10);
			assertThatTenantsAreRight();
		}
	}

	@Test
	void aHandlersErrorLeavesItsTenantToNoOtherTransaction() {
		Postings postings = new Postings();
		postings.refused.add("acme");
		publishOfTwoTenants(1, 5);
		this.wire.publish(this.world.root() + ".deposited", Map.of(), "{\"no\": \"tenant\"}");
		try (AnnotationConfigApplicationContext application = start(postings, ONE_TENANT)) {
			awaitPostings(5);
			await().until(() -> this.world.deadLetters("postings").size() == 6);
			publishOfTwoTenants(6, 8);
			awaitPostings(8);
			assertThatTenantsAreRight();
			assertThat(this.world.deadLetters("postings")).anySatisfy((letter) -> {
				assertThat(letter.tenantId()).isNull();
				assertThat(letter.reason()).startsWith("UNREADABLE");
			});
			assertThat(CurrentTenant.find()).isEmpty();
		}
	}

	@Test
	void doesNotStartWithAResolverIfTransactionsMayHaveSeveralTenants() {
		ProjectorSettings unset = ProjectorSettings.NONE;
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start(new Postings(), unset, new JpaTenants.ThreadLocalResolver()).close())
			.havingRootCause()
			.isInstanceOf(ProjectorStartException.class)
			.withMessageContainingAll("Projector 'postings' does not start", "'entityManagerFactory'",
					"JpaTenants$ThreadLocalResolver", "eventing.projector.defaults.tenancy = per-transaction");
	}

	@Test
	void doesNotStartWithAResolverThatDoesNotAskForTheCurrentTenant() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start(new Postings(), ONE_TENANT, new JpaTenants.ThreadLocalResolver()).close())
			.havingRootCause()
			.isInstanceOf(ProjectorStartException.class)
			.withMessageContainingAll("does not ask for the current tenant", "TenantTransactionListener");
	}

	@Test
	void aListenerPassesTheTenantToAResolverWithAThreadLocalOfItsOwn() {
		publishOfTwoTenants(1, 10);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Postings())
			.with(ONE_TENANT)
			.customize((context) -> JpaTenants.use(context, new JpaTenants.ThreadLocalResolver()))
			.customize((context) -> context.registerBean(ThreadLocalListener.class)))) {
			awaitPostings(20);
			assertThatTenantsAreRight();
			assertThat(World.status(application, "postings").counts().failedAttempts()).isZero();
		}
	}

	/** It is waited for a little, because a session may not open for other reasons. */
	@Test
	void aResolverThatRefusesATenantMakesADeadLetterOfItsEventOnly() {
		this.world.publish(TenantId.of("unknown"), "a", 1, 1);
		publishOfTwoTenants(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Postings(), ONE_TENANT,
				new JpaTenants.RefusingResolver("unknown"))) {
			awaitPostings(6);
			await().until(() -> this.world.deadLetters("postings").size() == 1);
			assertThatTenantsAreRight();
			await().until(() -> World.status(application, "postings").counts().deadLetters() == 1);
		}
	}

	/** The records of a start commit without its caller's changes. */
	@Test
	void aStartInATransactionOfTheApplicationCommitsNothingOfIt() {
		try (AnnotationConfigApplicationContext application = start(new Postings(), ONE_TENANT)) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			projectors.stop("postings");
			CurrentTenant.Scope scope = CurrentTenant.open(GLOBEX);
			try {
				new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
					.executeWithoutResult((status) -> {
						application.getBean(JdbcTemplate.class)
							.update("insert into posting values (gen_random_uuid(), 'globex', 'acme', 'a', 1)");
						projectors.start("postings");
						status.setRollbackOnly();
					});
				assertThat(CurrentTenant.find()).contains(GLOBEX);
			}
			finally {
				scope.close();
			}
			publishOfTwoTenants(1, 3);
			awaitPostings(6);
			assertThatTenantsAreRight();
		}
	}

	/** Rows that Hibernate does not write need no tenant of its sessions. */
	@Test
	void startsWithAResolverThatItsHandlersDoNotNeed() {
		this.world.publish(World.ACME, "a", 1, 3);
		ProjectorSettings none = ProjectorSettings.builder().tenancy(Tenancy.NONE).build();
		try (AnnotationConfigApplicationContext application = start(new Accounts(), none,
				new JpaTenants.ThreadLocalResolver())) {
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings) {
		return start(handlers, settings, new JpaTenants.CurrentTenantResolver());
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings,
			CurrentTenantIdentifierResolver<String> resolver) {
		return this.world.start(
				WorldApplication.of(handlers).with(settings).customize((context) -> JpaTenants.use(context, resolver)));
	}

	private void publishOfTwoTenants(long from, long to) {
		for (long version = from; version <= to; version++) {
			this.world.publish(World.ACME, "a", version, version);
			this.world.publish(GLOBEX, "a", version, version);
		}
	}

	private void awaitPostings(long number) {
		await().until(() -> this.world.count("select count(*) from posting") == number);
	}

	private void assertThatTenantsAreRight() {
		assertThat(this.world.jdbc().queryForList("select * from posting where tenant <> expected")).isEmpty();
		assertThat(this.world.count("select count(distinct tenant) from posting")).isBetween(1L, 2L);
	}

	/** Keeps entities. */
	static class Postings {

		final Set<String> refused = ConcurrentHashMap.newKeySet();

		@PersistenceContext
		EntityManager entities;

		@ProjectorEventHandler(subject = "${root}.>", projectorName = "postings")
		public void on(Event<Deposited> event) {
			this.entities.persist(new Posting(event));
			if (this.refused.contains(event.tenantId().value())) {
				throw new AssertionError("refused by the test");
			}
		}

	}

	/** Keeps entities, several at once. */
	static class PostingsInBatches {

		final Set<String> mixed = ConcurrentHashMap.newKeySet();

		@PersistenceContext
		EntityManager entities;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "postings")
		public void on(List<Event<Deposited>> events) {
			Set<TenantId> tenants = events.stream().map(Event::tenantId).collect(Collectors.toSet());
			if (!tenants.equals(Set.of(CurrentTenant.require()))) {
				this.mixed.add(tenants.toString());
			}
			events.forEach((event) -> this.entities.persist(new Posting(event)));
		}

	}

}
