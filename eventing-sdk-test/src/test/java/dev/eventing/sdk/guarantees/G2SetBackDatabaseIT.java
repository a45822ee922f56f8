package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * G2: a database that lost its last commits, by a restored backup or by a failover to a
 * replica that lagged, while the durable and the memory of the nodes are ahead of it:
 * what it lost is applied again.
 */
class G2SetBackDatabaseIT {

	private static final List<String> TABLES = List.of("account", "eventing.processed_events",
			"eventing.projector_positions", "eventing.projector_checkpoints", "eventing.projector_handouts",
			"eventing.events", "eventing.streams");

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void appliesAgainWhatWasLostBeforeItStarts(Ordering ordering) {
		WorldApplication accounts = accounts(ordering);
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			publishAndAwait(application, 1, 5);
		}
		backUp();
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			publishAndAwait(application, 6, 10);
		}
		setBack("updated_at = now() - interval '1 minute'");
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> this.world.version(World.ACME, "a") == 10);
			assertThatNothingWasAppliedTwiceOrOutOfOrder();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void appliesAgainWhatWasLostWhileItRuns(Ordering ordering) {
		try (AnnotationConfigApplicationContext application = this.world.start(accounts(ordering))) {
			publishAndAwait(application, 1, 5);
			World.savePlace(application);
			backUp();
			publishAndAwait(application, 6, 10);
			World.savePlace(application);
			setBack("updated_at = now()");
			await().until(() -> this.world.version(World.ACME, "a") == 10);
			this.world.publish(World.ACME, "a", 11, 12);
			await().until(() -> this.world.version(World.ACME, "a") == 12);
			assertThatNothingWasAppliedTwiceOrOutOfOrder();
		}
	}

	/** Servers from 2.14 on reset no durable to before its own start. */
	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void appliesAgainWhatWasLostBeforeTheStartOfADurableThatWasMadeAnew(Ordering ordering) {
		String durable = Accounts.PROJECTOR + "-consumer";
		WorldApplication accounts = accounts(ordering);
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			publishAndAwait(application, 1, 5);
		}
		backUp();
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			publishAndAwait(application, 6, 10);
		}
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), durable));
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			publishAndAwait(application, 11, 12);
			assertThat(this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), durable))
				.getConsumerConfiguration()
				.getStartSequence()).as("its own start").isGreaterThan(6);
		}
		setBack("updated_at = now() - interval '1 minute'");
		try (AnnotationConfigApplicationContext application = this.world.start(accounts)) {
			await().until(() -> this.world.version(World.ACME, "a") == 12);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			assertThatNothingWasAppliedTwiceOrOutOfOrder();
		}
	}

	@Test
	void savesNoPlaceBehindOneThatACompetingNodeHasJustSaved() {
		CountDownLatch looking = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			if (event.version() == 6) {
				join(looking);
			}
		});
		try (AnnotationConfigApplicationContext application = this.world.start(accounts(accounts, Ordering.NONE))) {
			publishAndAwait(application, 1, 5);
			recordPlaces();
			this.world.publish(World.ACME, "a", 6, 10);
			inTransaction(() -> {
				this.world.jdbc().execute("lock table eventing.projector_positions in access exclusive mode");
				// it has seen where the durable stands, and looks at what is saved
				await().until(() -> this.world
					.count("select count(*) from pg_locks where not granted and database = (select oid from"
							+ " pg_database where datname = current_database())") == 1);
				looking.countDown();
				await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
				this.world.jdbc().update("update eventing.projector_positions set floor = 10"); // the
																								// other
			});
			publishAndAwait(application, 11, 15);
			await().until(() -> this.world.count("select max(floor) from places") == 15);
			assertThat(this.world.jdbc().queryForList("select floor from places order by place", Long.class))
				.isSorted();
		}
	}

	/** Notes each place that is saved from now on. */
	private void recordPlaces() {
		this.world.jdbc().execute("""
				create table places (place serial, floor bigint);
				create function record_place() returns trigger language plpgsql as
				  'begin insert into places (floor) values (new.floor); return new; end';
				create trigger recorded after insert or update on eventing.projector_positions
				  for each row execute function record_place()""");
	}

	private void inTransaction(Runnable work) {
		DataSource dataSource = Objects.requireNonNull(this.world.jdbc().getDataSource());
		new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult((status) -> work.run());
	}

	private static void join(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void appliesWhatTheEventStoreDrewAnewAtPositionsItHadPassed() {
		try (AnnotationConfigApplicationContext application = startFromStore(new Accounts())) {
			long place = this.world.append(World.ACME, "a", 1, 5).lastPosition();
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == place);
			backUp();
			long later = this.world.append(World.ACME, "a", 6, 10).lastPosition();
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == later);
			setBack("updated_at = now()");
			drawAnewBehind(place);
			assertThat(this.world.append(World.ACME, "b", 1, 5).lastPosition()).isEqualTo(later);
			await().until(() -> this.world.version(World.ACME, "b") == 5);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(5);
			assertThat(application.isActive()).isTrue();
			assertThatNothingWasAppliedTwiceOrOutOfOrder();
		}
	}

	@Test
	void appliesNothingThatTheEventStoreHasLost() {
		CountDownLatch refusing = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("a") && event.version() == 6 && refusing.getCount() > 0) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = startFromStore(accounts)) {
			long place = this.world.append(World.ACME, "a", 1, 5).lastPosition();
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == place);
			backUp();
			this.world.append(World.ACME, "a", 6, 6);
			await().until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() == 1);
			setBack("updated_at = now()");
			drawAnewBehind(place);
			this.world.append(World.ACME, "b", 1, 1);
			refusing.countDown();
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(5);
		}
	}

	@Test
	@Tag("crash")
	void appliesAgainWhatAFailoverLost(@TempDir Path copies) throws IOException {
		try (PostgresServer postgres = PostgresServer.start(); World own = World.on(TestServers.nats(), postgres)) {
			Path data = Path.of(String.valueOf(own.jdbc().queryForObject("show data_directory", String.class)));
			assumeThat(data).as("the server's files are within reach").isDirectory();
			try (AnnotationConfigApplicationContext application = own.start(WorldApplication.of(new Accounts()))) {
				publishAndAwait(own, 1, 5);
				postgres.stop();
				run("cp", "-a", data.toString(), copies.resolve("replica").toString());
				postgres.restart();
				publishAndAwait(own, 6, 10);
				postgres.stop();
				run("rm", "-r", data.toString());
				run("cp", "-a", copies.resolve("replica").toString(), data.toString());
				Files.createFile(data.resolve("standby.signal"));
				postgres.restart();
				await().ignoreExceptions().until(() -> own.count("select count(*) from pg_promote()") == 1);
				await().ignoreExceptions().until(() -> own.version(World.ACME, "a") == 10);
				publishAndAwait(own, 11, 12);
				assertThat(own.count("select count(*) from violations")).isZero();
				assertThat(application.isActive()).isTrue();
			}
		}
	}

	private static void publishAndAwait(World own, long from, long to) {
		own.publish(World.ACME, "a", from, to);
		await().ignoreExceptions().until(() -> own.version(World.ACME, "a") == to);
		await().until(() -> own.unsettled(Accounts.PROJECTOR) == 0);
	}

	/** With owners and permissions, which the server insists on. */
	private static void run(String... command) {
		try {
			assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private WorldApplication accounts(Ordering ordering) {
		return accounts(new Accounts(), ordering);
	}

	private static WorldApplication accounts(Accounts accounts, Ordering ordering) {
		// one lane, so that competing nodes apply in order too while nothing fails
		return WorldApplication.of(accounts)
			.with(ProjectorSettings.builder().concurrency(1).ordering(ordering).build());
	}

	private AnnotationConfigApplicationContext startFromStore(Accounts accounts) {
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(1000)
			.retryMultiplier(1.0)
			.source(Source.EVENT_STORE)
			.build();
		return this.world.start(WorldApplication.of(accounts).with(patient));
	}

	private void publishAndAwait(AnnotationConfigApplicationContext application, long from, long to) {
		assertThat(application.isActive()).isTrue();
		this.world.publish(World.ACME, "a", from, to);
		await().until(() -> this.world.version(World.ACME, "a") == to);
		await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
	}

	private void backUp() {
		for (String table : TABLES) {
			this.world.jdbc().execute("create table %s as select * from %s".formatted(copyOf(table), table));
		}
	}

	/**
	 * At once, as a failover would; a transaction that is open commits before or never.
	 * It locks tables in another order than such a transaction may.
	 */
	private void setBack(String saved) {
		StringBuilder sql = new StringBuilder();
		sql.append("lock table ").append(String.join(", ", TABLES)).append(" in exclusive mode; ");
		for (String table : TABLES) {
			sql.append("delete from %2$s; insert into %2$s (%3$s) overriding system value select %3$s from %1$s; "
				.formatted(copyOf(table), table, columnsOf(table)));
		}
		sql.append("update eventing.projector_positions set ").append(saved);
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(Objects.requireNonNull(this.world.jdbc().getDataSource())));
		await("without a deadlock").ignoreExceptionsInstanceOf(PessimisticLockingFailureException.class).until(() -> {
			transaction.executeWithoutResult((status) -> this.world.jdbc().execute(sql.toString()));
			return true;
		});
	}

	/** All but those that PostgreSQL works out. */
	private String columnsOf(String table) {
		return Objects.requireNonNull(this.world.jdbc().queryForObject("""
				select string_agg(quote_ident(attname), ', ') from pg_attribute
				 where attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''
				""", String.class, table));
	}

	private static String copyOf(String table) {
		return "copy_of_" + table.replace("eventing.", "");
	}

	private void drawAnewBehind(long position) {
		this.world.jdbc()
			.queryForObject("select setval(pg_get_serial_sequence('eventing.events', 'global_position'), ?)",
					Long.class, position);
	}

	private void assertThatNothingWasAppliedTwiceOrOutOfOrder() {
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

}
