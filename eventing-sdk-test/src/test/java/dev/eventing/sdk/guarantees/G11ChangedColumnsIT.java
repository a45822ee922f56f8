package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tables get other columns while projectors run, so that statements which were prepared
 * before fail once. That is not about an event.
 */
class G11ChangedColumnsIT {

	/** Enough for the connection of the one lane to be the one that prepared before. */
	private static final int ROUNDS = 20;

	@AutoClose
	private final World world = World.create();

	/** A failure that counts would be a dead letter at once. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void ofAReadModelCostNoAttempt(Source source) {
		Selecting accounts = new Selecting();
		ProjectorSettings settings = ProjectorSettings.builder().source(source).maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = start(WorldApplication.of(accounts).with(settings))) {
			long version = 0;
			for (int round = 0; round < ROUNDS && accounts.met.get() == 0; round++) {
				version = applyNext(source, version);
				this.world.jdbc().execute("alter table account add column note_" + round + " text");
				version = applyNext(source, version);
			}
			assertThat(accounts.met).as("statements that met other columns").hasPositiveValue();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
			assertThat(this.world.count("select total from account")).isEqualTo(version * (version + 1) / 2);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	/**
	 * One event: of a part of several that fails, each would run alone next, uncounted.
	 */
	private long applyNext(Source source, long version) {
		long next = version + 1;
		publish(source, next);
		await().until(() -> this.world.version(World.ACME, "a") == next);
		return next;
	}

	private void publish(Source source, long version) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a", version, version);
		}
		else {
			this.world.publish(World.ACME, "a", version, version);
		}
	}

	/** PostgreSQL has one SQL state for both. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void areNotTheReasonOfWhatAStatementOfTheHandlerMayNotDo(Source source) {
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				super.on(event, eventId, tenantId);
				if (event.version() == 2) {
					this.jdbc.queryForList("select count(*) from account for update");
				}
			}
		};
		ProjectorSettings settings = ProjectorSettings.builder().source(source).maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = start(WorldApplication.of(accounts).with(settings))) {
			long version = applyNext(source, 0);
			publish(source, version + 1);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.satisfies((letter) -> assertThat(letter.failure().message()).contains("FOR UPDATE is not allowed")));
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isEqualTo(1);
		}
	}

	/** As the next version of the SDK may, while nodes of this version run. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void ofTheSdksOwnTablesDisturbNeitherProjectorsNorRelaysNorRedrives(CapturedOutput output) {
		AtomicBoolean refusing = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("b") && refusing.get()) {
				throw new Accounts.Refused();
			}
		});
		RelayWorld relays = new RelayWorld(this.world);
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = start(WorldApplication.of(accounts)
			.with(settings)
			.customize((context) -> context.registerBean(RelayOptions.class, relays::options)))) {
			relays.append(World.ACME, "a", 5);
			relays.append(World.ACME, "b", 1);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			addAColumnToEachTable();
			refusing.set(false);
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna"));
			relays.append(World.ACME, "a", 5);
			await().until(() -> this.world.version(World.ACME, "a") == 10 && this.world.version(World.ACME, "b") == 1);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.satisfies((letter) -> assertThat(letter.status()).isEqualTo(DeadLetterStatus.RESOLVED)));
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isEqualTo(1);
			await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
		// such a failure is waited out, and would show nowhere else
		assertThat(output).doesNotContain("cached plan must not change result type");
	}

	private void addAColumnToEachTable() {
		List<String> tables = this.world.jdbc()
			.queryForList("select quote_ident(tablename) from pg_tables where schemaname = 'eventing'", String.class);
		assertThat(tables).isNotEmpty();
		tables.forEach((table) -> this.world.jdbc()
			.execute("alter table eventing." + table + " add column operators_note text"));
	}

	/** The driver prepares what it executes for the first time. */
	private AnnotationConfigApplicationContext start(WorldApplication application) {
		return World.start(this.world.natsUrl(), this.world.jdbcUrl() + "&prepareThreshold=1", this.world.root(),
				application);
	}

	/** A handler that reads whatever columns there are. */
	private static final class Selecting extends Accounts {

		private final AtomicInteger met = new AtomicInteger();

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			try {
				this.jdbc.queryForList("select * from account where account = ?", event.account());
			}
			catch (DataAccessException ex) {
				this.met.incrementAndGet();
				throw ex;
			}
			super.on(event, eventId, tenantId);
		}

	}

}
