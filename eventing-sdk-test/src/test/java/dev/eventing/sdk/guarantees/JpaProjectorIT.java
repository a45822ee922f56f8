package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that write through JPA: what Hibernate flushes at commit, the claim and the
 * SDK's rows are one transaction.
 */
class JpaProjectorIT {

	private World world;

	@BeforeEach
	void create() {
		this.world = World.create();
		this.world.jdbc()
			.execute("create table balance (account text primary key, total bigint not null check (total < 50))");
	}

	@AfterEach
	void close() {
		this.world.close();
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

	private AnnotationConfigApplicationContext start() {
		ProjectorSettings quickRetries = ProjectorSettings.builder()
			.maxDeliver(2)
			.retryDelay(java.time.Duration.ofMillis(50))
			.build();
		return this.world.start(World.Application.of(new Balances()).with(quickRetries).customize((context) -> {
			context.removeBeanDefinition("platformTransactionManager");
			context.registerBean("entityManagerFactory", LocalContainerEntityManagerFactoryBean.class,
					() -> entityManagerFactory(context.getBean(HikariDataSource.class)));
			context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
					() -> new JpaTransactionManager(context.getBean(EntityManagerFactory.class)));
		}));
	}

	private static LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(dataSource);
		factory.setPackagesToScan("dev.eventing.sdk.guarantees");
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		Properties properties = new Properties();
		properties.setProperty("hibernate.hbm2ddl.auto", "none");
		factory.setJpaProperties(properties);
		return factory;
	}

	/** A read model kept by Hibernate, in batches. */
	static class Balances {

		@PersistenceContext
		private EntityManager entities;

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
