package dev.eventing.sdk.guarantees;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that write through JPA: what Hibernate flushes at commit, the claim and the
 * SDK's rows are one transaction.
 */
class JpaProjectorIT {

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc()
			.execute("create table balance (account text primary key, total bigint not null check (total < 50))");
	}

	@Test
	void commitsEntitiesAndClaimsTogether() {
		try (AnnotationConfigApplicationContext application = start()) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> this.world.count("select coalesce(sum(total), 0) from balance") == 15);
			await().until(() -> World.status(application, "balances").counts().processed() == 5);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(5);
		}
	}

	/** Hibernate gets a connection late then, and gives it back early. */
	@ParameterizedTest
	@ValueSource(strings = { "DELAYED_ACQUISITION_AND_HOLD", "DELAYED_ACQUISITION_AND_RELEASE_AFTER_TRANSACTION" })
	void commitsThemWhereThePoolDisablesAutocommit(String handling) {
		Map<String, Object> properties = Map.of("hibernate.connection.handling_mode", handling,
				"hibernate.connection.provider_disables_autocommit", "true");
		WorldApplication application = WorldApplication.of(new Balances())
			.customize(WorldApplication.pool((pool) -> pool.setAutoCommit(false)))
			.customize((context) -> throughJpa(context, Balance.class, properties));
		try (AnnotationConfigApplicationContext started = this.world.start(application)) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> this.world.count("select coalesce(sum(total), 0) from balance") == 15);
			await().until(() -> World.status(started, "balances").counts().processed() == 5);
			assertThat(World.status(started, "balances").counts().failedAttempts()).isZero();
		}
	}

	@Test
	void blamesTheEventWhoseFlushFailsAtCommitAndNoOtherOfItsBatch() {
		for (int account = 0; account < 20; account++) {
			this.world.publish(World.ACME, "good" + account, 1, 1);
		}
		this.world.publish(this.world.deposit(World.ACME, "bad", 60));
		for (int account = 20; account < 40; account++) {
			this.world.publish(World.ACME, "good" + account, 1, 1);
		}
		try (AnnotationConfigApplicationContext application = start()) {
			await().until(() -> World.status(application, "balances").counts().deadLetters() == 1);
			await().until(() -> this.world.count("select count(*) from balance") == 40);
			assertThat(this.world.deadLetters("balances")).singleElement()
				.satisfies((letter) -> assertThat(letter.orderingKey()).isEqualTo("bad"));
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(40);
		}
	}

	/** Hibernate has its own exception for a rollback that fails. */
	@ParameterizedTest
	@EnumSource
	void countsNoAttemptOfAnEventWhoseConnectionIsLost(Moment moment) {
		AtomicBoolean lost = new AtomicBoolean();
		Balances balances = new Disturbed((entities) -> {
			if (moment != Moment.AT_THE_COMMIT && lost.compareAndSet(false, true)) {
				endOpenTransactions();
				if (moment == Moment.IN_THE_HANDLER) {
					entities.flush();
				}
			}
		});
		if (moment == Moment.AT_THE_COMMIT) {
			loseTheFirstCommit();
		}
		try (AnnotationConfigApplicationContext application = start(balances, 1)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> World.status(application, "balances").counts().processed() == 1
					|| !this.world.deadLetters("balances").isEmpty());
			assertThat(this.world.deadLetters("balances")).isEmpty();
			assertThat(World.status(application, "balances").counts().failedAttempts()).isZero();
			assertThat(this.world.count("select sum(total) from balance")).isEqualTo(1);
		}
	}

	/**
	 * The handler's transaction is rolled back as a whole, whatever it had done before.
	 */
	@Test
	void aPauseInAHandlerCommitsNothingOfItsTransaction() {
		AtomicReference<ProjectorRegistry> projectors = new AtomicReference<>();
		AtomicBoolean paused = new AtomicBoolean();
		Balances balances = new Disturbed((entities) -> {
			if (paused.compareAndSet(false, true)) {
				entities.flush();
				projectors.get().pause("balances", "breaker", "the service it asks is down");
				throw new IllegalStateException("The service is down.");
			}
		});
		try (AnnotationConfigApplicationContext application = start(balances, 3)) {
			projectors.set(application.getBean(ProjectorRegistry.class));
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> World.status(application, "balances").state() == ProjectorState.PAUSED);
			projectors.get().resume("balances");
			await().until(() -> World.status(application, "balances").counts().processed() == 3);
			assertThat(this.world.count("select sum(total) from balance")).isEqualTo(6);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(3);
			assertThat(World.status(application, "balances").counts().duplicates()).isZero();
		}
	}

	private void endOpenTransactions() {
		this.world.jdbc().queryForList("""
				select pg_terminate_backend(pid) from pg_stat_activity
				 where datname = current_database() and state = 'idle in transaction'""");
	}

	/** The value of a sequence stays when the transaction is rolled back. */
	private void loseTheFirstCommit() {
		this.world.jdbc().execute("""
				create sequence commits;
				create function lose() returns trigger language plpgsql as $$ begin
				  if nextval('commits') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
				  return null;
				end $$;
				create constraint trigger lose after insert on balance deferrable initially deferred
				   for each row execute function lose()""");
	}

	/** When its connection is lost. */
	enum Moment {

		IN_THE_HANDLER, IN_THE_FLUSH_AFTER_IT, AT_THE_COMMIT

	}

	private AnnotationConfigApplicationContext start() {
		return start(new Balances(), 2);
	}

	private AnnotationConfigApplicationContext start(Balances balances, int maxDeliver) {
		ProjectorSettings quickRetries = ProjectorSettings.builder()
			.maxDeliver(maxDeliver)
			.retryDelay(java.time.Duration.ofMillis(50))
			.build();
		return this.world.start(WorldApplication.of(balances).with(quickRetries).customize(JpaProjectorIT::throughJpa));
	}

	/** Has an application run its transactions by JPA's manager. */
	static void throughJpa(AnnotationConfigApplicationContext context) {
		throughJpa(context, Balance.class, Map.of());
	}

	/** With one entity, and more properties of Hibernate. */
	static void throughJpa(AnnotationConfigApplicationContext context, Class<?> entity,
			Map<String, Object> properties) {
		context.removeBeanDefinition("platformTransactionManager");
		context.registerBean("entityManagerFactory", LocalContainerEntityManagerFactoryBean.class,
				() -> entityManagerFactory(context.getBean(HikariDataSource.class), entity, properties));
		context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
				() -> new JpaTransactionManager(context.getBean(EntityManagerFactory.class)));
	}

	private static LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource, Class<?> entity,
			Map<String, Object> more) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(dataSource);
		factory.setManagedTypes(PersistenceManagedTypes.of(entity.getName()));
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		Map<String, Object> properties = new HashMap<>(more);
		properties.put("hibernate.hbm2ddl.auto", "none");
		factory.setJpaPropertyMap(properties);
		return factory;
	}

	/** A read model kept by Hibernate, in batches. */
	static class Balances {

		@PersistenceContext
		EntityManager entities;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "balances")
		public void on(List<Event<Deposited>> events) {
			for (Event<Deposited> event : events) {
				Deposited deposited = event.payload();
				Balance balance = this.entities.find(Balance.class, deposited.account());
				if (balance == null) {
					balance = new Balance();
					balance.account = deposited.account();
					this.entities.persist(balance);
				}
				balance.total += deposited.amount();
			}
		}

	}

	/** Does something more after it has written. */
	static class Disturbed extends Balances {

		private final Consumer<EntityManager> afterWriting;

		Disturbed(Consumer<EntityManager> afterWriting) {
			this.afterWriting = afterWriting;
		}

		@Override
		public void on(List<Event<Deposited>> events) {
			super.on(events);
			this.afterWriting.accept(this.entities);
		}

	}

	/** The total of an account. */
	@Entity
	@Table(name = "balance")
	static class Balance {

		@Id
		private String account;

		@Column
		private long total;

	}

}
