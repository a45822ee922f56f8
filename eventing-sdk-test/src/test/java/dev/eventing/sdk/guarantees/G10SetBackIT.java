package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10: a database that loses commits while a read model is filled, by a failover to a
 * replica that lagged or by a restored backup, and while the node runs on.
 */
@ExtendWith(OutputCaptureExtension.class)
class G10SetBackIT extends BesideSetup {

	private static final int EVENTS = 40;

	private static final String COPY = "copy_of_";

	/**
	 * Before the next event, or before the end. A page was handed out before.
	 * @param last the last one that was committed before the loss, but for one
	 */
	@ParameterizedTest
	@CsvSource({ "true, 20", "true, 39", "false, 20", "false, 39" })
	void fillsWhatTheDatabaseHasLost(boolean beside, int last) {
		fill(beside, last, "eventing.projection_lanes", "eventing.projector_checkpoints", schema(beside) + ".account",
				schema(beside) + ".violations");
	}

	/** The event store may have lost these events, too. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void startsAgainIfTheDatabaseHasLostWhatWasHandedOut(boolean beside, CapturedOutput output) {
		fill(beside, 20, "eventing.projector_handouts");
		assertThat(output).contains("were handed out to projector 'accounts");
	}

	private static String schema(boolean beside) {
		return beside ? "accounts_g2" : "public";
	}

	private void fill(boolean beside, int last, String... lost) {
		String schema = schema(beside);
		List<String> tables = List.of(lost);
		this.world.append(World.ACME, "a0", 1, EVENTS);
		OneLane accounts = new OneLane();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersion("public", EVENTS);
			accounts.permits.drainPermits();
			if (beside) {
				build();
			}
			else {
				this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
			}
			accounts.permits.release(10);
			awaitVersion(schema, 10);
			tables
				.forEach((table) -> this.world.jdbc().execute("create table " + copyOf(table) + " as table " + table));
			accounts.permits.release(last - 10);
			awaitVersion(schema, last);
			CompletableFuture<Void> setBack = CompletableFuture.runAsync(() -> setBack(tables));
			await().until(() -> this.world.count("select count(*) from pg_locks where not granted"
					+ " and database = (select oid from pg_database where datname = current_database())"
					+ " and relation = 'eventing.projection_lanes'::regclass") == 1);
			accounts.permits.release(1000);
			setBack.join();
			awaitStatus(2, beside ? ProjectionGeneration.Status.READY : ProjectionGeneration.Status.LIVE);
			awaitVersion(schema, EVENTS);
			assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).isEmpty();
			assertThat(this.world.count("select total from " + schema + ".account"))
				.isEqualTo(EVENTS * (EVENTS + 1L) / 2);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void awaitVersion(String schema, long version) {
		await().ignoreExceptions()
			.until(() -> this.world.count("select version from " + schema + ".account") == version);
	}

	/** Between two transactions of the lane. */
	private void setBack(List<String> tables) {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(Objects.requireNonNull(this.world.jdbc().getDataSource())));
		transaction.executeWithoutResult((status) -> {
			this.world.jdbc().execute("lock table eventing.projection_lanes in access exclusive mode");
			tables.forEach((table) -> this.world.jdbc()
				.execute("delete from %2$s; insert into %2$s table %1$s".formatted(copyOf(table), table)));
		});
	}

	private static String copyOf(String table) {
		return COPY + table.substring(table.indexOf('.') + 1);
	}

	/** Each call needs a permit. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class OneLane {

		final Semaphore permits = new Semaphore(EVENTS);

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1,
				batchSize = 1)
		public void on(Deposited event, UUID eventId, String tenantId) throws InterruptedException {
			assertThat(this.permits.tryAcquire(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
