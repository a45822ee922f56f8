package dev.eventing.sdk.guarantees;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * G1: an event's effects and its row in processed_events commit together or not at all; a
 * duplicate runs no handler.
 */
class G1TransactionIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void appliesAnEventAndItsRowInOneTransaction() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().untilAsserted(() -> assertThat(this.world.version(World.ACME, "a")).isEqualTo(3));
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(3);
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).inFlight()).isZero());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().processed()).isEqualTo(3);
		}
	}

	@Test
	void leavesNothingOfAHandlerThatWritesThenThrows() {
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("bad")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			this.world.publish(World.ACME, "good", 1, 2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1
					&& this.world.version(World.ACME, "good") == 2);
			assertThat(accounts.calledVersions("bad")).hasSizeGreaterThanOrEqualTo(3);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(2);
		}
	}

	/** The driver reports a commit that commits nothing as a success. */
	@Test
	void losesNoEventWhoseHandlerCatchesAnErrorThatAbortsTheTransaction() {
		this.world.jdbc().execute("create table seen (account text primary key)");
		this.world.jdbc().update("insert into seen values ('bad')");
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Careless()))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			this.world.publish(World.ACME, "good", 1, 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1
					&& this.world.version(World.ACME, "good") == 1);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement().satisfies((letter) -> {
				assertThat(letter.orderingKey()).isEqualTo("bad");
				assertThat(letter.failure().message()).contains("has caught an error of the database");
			});
		}
	}

	@Test
	void losesNoEventWhoseTransactionAListenerAbortsBeforeTheCommit() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new CarelessAtTheEnd()))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			this.world.publish(World.ACME, "good", 1, 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1
					&& this.world.version(World.ACME, "good") == 1);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.satisfies((letter) -> assertThat(letter.failure().message()).contains("called before the commit"));
		}
	}

	@Test
	void leavesNothingOfAnEventWhoseCommitFailsAndAppliesTheRestOfItsBatch() {
		this.world.jdbc().execute("create table allowed (amount bigint primary key)");
		this.world.jdbc().execute("insert into allowed select * from generate_series(1, 39)");
		this.world.jdbc()
			.execute(
					"alter table account add foreign key (version) references allowed (amount) deferrable initially deferred");
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			for (int account = 0; account < 20; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			this.world.publish(World.ACME, "bad", 1, 40);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			assertThat(this.world.version(World.ACME, "bad")).isEqualTo(39);
			await("the other lanes").untilAsserted(
					() -> assertThat(this.world.count("select count(*) from account where version = 1")).isEqualTo(20));
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(59);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED");
		}
	}

	@Test
	void refusesToStartWhereTransactionsAreNotAtReadCommittedThoughTheyAskForIt() {
		this.world.setDefault("default_transaction_isolation", "repeatable read");
		assertThatThrownBy(() -> startDeafToIsolation(new Accounts(), new Others())).rootCause()
			.isInstanceOfSatisfying(ProjectorStartException.class, (refusal) -> {
				assertThat(refusal.problems()).hasSize(2)
					.allSatisfy((problem) -> assertThat(problem).contains(
							"Consider a transaction manager that sets isolation levels, or a pool whose default"));
				assertThat(refusal).hasMessageContainingAll(
						"projector 'accounts' are not at read committed, although they ask for it",
						"projector 'others' are not at read committed, although they ask for it");
				assertThat(refusal.getSuppressed()).hasOnlyElementsOfType(IllegalTransactionStateException.class);
			});
	}

	@Test
	void failsWhereItTakesOverAndItsTransactionsAreNotAtReadCommitted() {
		this.world.setDefault("default_transaction_isolation", "repeatable read");
		try (AnnotationConfigApplicationContext owner = this.world.start(WorldApplication.of(new Accounts()));
				AnnotationConfigApplicationContext other = startDeafToIsolation(new Accounts())) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			owner.close();
			this.world.publish(World.ACME, "a", 2, 2);
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(other, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("are not at read committed, although they ask for it");
			});
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
		}
	}

	private AnnotationConfigApplicationContext startDeafToIsolation(Object... handlers) {
		return this.world.start(WorldApplication.of(handlers)
			.lease(Duration.ofSeconds(1))
			.customize((context) -> context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
					() -> new DeafTransactionManager(context.getBean(HikariDataSource.class)))));
	}

	@Test
	void runsNoHandlerForAnEventPublishedAgainUnderAnotherSequence() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
			this.world.publish(event);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 1);
			await().pollInterval(Duration.ofMillis(50)).until(() -> {
				this.world.publish(event);
				return World.status(application, Accounts.PROJECTOR).counts().duplicates() >= 2;
			});
			assertThat(accounts.calls).hasSize(1);
			assertThat(this.world.count("select total from account")).isEqualTo(1);
		}
	}

	@Test
	void countsEventsWithAKnownIdAndAnotherContent() {
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		Event<Deposited> other = Event.builder(World.ACME, new Deposited("a", 1, 500))
			.id(event.id())
			.streamId("a")
			.build();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(event);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 1);
			await().pollInterval(Duration.ofMillis(50)).until(() -> !this.world.publish(event).duplicate());
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().differing()).isZero();
			await().pollInterval(Duration.ofMillis(50)).until(() -> !this.world.publish(other).duplicate());
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().differing() == 1);
			assertThat(this.world.count("select total from account")).isEqualTo(1);
		}
	}

	@Test
	void countsAnotherContentAlsoWithinOneBatch() {
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		this.world.publish(event);
		Event<Deposited> other = Event.builder(World.ACME, new Deposited("a", 1, 500))
			.id(event.id())
			.streamId("a")
			.build();
		await().pollInterval(Duration.ofMillis(50)).until(() -> !this.world.publish(other).duplicate());
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().differing() == 1);
			assertThat(this.world.count("select total from account")).isEqualTo(1);
		}
	}

	@Test
	void runsTheHandlerOnceForAnEventThatStandsTwiceInOneBatch() {
		Accounts accounts = new Accounts();
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		this.world.publish(event);
		await().pollInterval(Duration.ofMillis(50)).until(() -> !this.world.publish(event).duplicate());
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 1);
			assertThat(accounts.calls).hasSize(1);
		}
	}

	@Test
	void runsNoHandlerForADeliveryThatComesAgainAfterTheCommit() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
		}
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), "accounts-consumer"));
		this.world.jdbc().update("delete from eventing.projector_positions");
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 5);
			assertThat(accounts.calledVersions("a")).isEqualTo(List.of(1L, 2L, 3L, 4L, 5L));
		}
	}

	@Test
	void usesOneTransactionForManyWaitingEvents() {
		this.world.publish(World.ACME, "a", 1, 100);
		ProjectorSettings batches = ProjectorSettings.NONE;
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(batches))) {
			await().until(() -> this.world.version(World.ACME, "a") == 100);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 100);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().transactions()).isLessThan(50);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { OtherOnMethod.class, OtherOnClass.class, OtherByMetaAnnotation.class,
			OtherByQualifier.class, NobodyKnows.class })
	void refusesAHandlerThatNamesAnotherTransactionManager(Class<? extends Accounts> handlers) throws Exception {
		Accounts accounts = handlers.getDeclaredConstructor().newInstance();
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl())) {
			assertThatExceptionOfType(InvalidDeclarationException.class)
				.isThrownBy(() -> this.world.start(withManagers(accounts, pool)).close())
				.withMessageContaining("its @Transactional names the transaction manager '")
				.withMessageContaining(handlers.getSimpleName() + ".on(Deposited, UUID, String)");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { OwnByName.class, Unnamed.class })
	void joinsWhereAHandlerNamesTheTransactionManagerOfItsEvents(Class<? extends Accounts> handlers) throws Exception {
		Accounts accounts = handlers.getDeclaredConstructor().newInstance();
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
				AnnotationConfigApplicationContext application = this.world.start(withManagers(accounts, pool))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 3);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(3);
		}
	}

	private static WorldApplication withManagers(Accounts accounts, HikariDataSource pool) {
		return WorldApplication.of(accounts).customize((context) -> {
			context.register(Transactions.class);
			context.registerBean("other", PlatformTransactionManager.class, () -> new JdbcTransactionManager(pool),
					(definition) -> ((AbstractBeanDefinition) definition).setFallback(true));
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

	}

	static class OtherOnMethod extends Accounts {

		@Override
		@Transactional("other")
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

	@Transactional(transactionManager = "${manager:other}")
	static class OtherOnClass extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Transactional("other")
	@interface InOther {

	}

	static class OtherByMetaAnnotation extends Accounts {

		@Override
		@InOther
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

	@Qualifier("other")
	@Transactional
	static class OtherByQualifier extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

	@Transactional("nobody")
	static class NobodyKnows extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

	/** Goes on after an error of the database. */
	static class Careless extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
			try {
				this.jdbc.update("insert into seen values (?)", event.account());
			}
			catch (DuplicateKeyException ex) {
				// it was seen before
			}
		}

	}

	/** A listener of its transaction goes on after an error of the database. */
	static class CarelessAtTheEnd extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
			if (event.account().equals("bad")) {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						try {
							CarelessAtTheEnd.this.jdbc.execute("select 1 / 0");
						}
						catch (DataAccessException ex) {
							// as if that were all
						}
					}

				});
			}
		}

	}

	@Transactional("platformTransactionManager")
	static class OwnByName extends Accounts {

	}

	@Transactional
	static class Unnamed extends Accounts {

	}

	static class Others {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "others")
		public void on(Deposited event) {
		}

	}

	/** Its transactions have the pool's isolation level, whichever they ask for. */
	private static final class DeafTransactionManager extends JdbcTransactionManager {

		private static final long serialVersionUID = 1L;

		DeafTransactionManager(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			DefaultTransactionDefinition heard = new DefaultTransactionDefinition(definition);
			heard.setIsolationLevel(TransactionDefinition.ISOLATION_DEFAULT);
			super.doBegin(transaction, heard);
		}

	}

}
