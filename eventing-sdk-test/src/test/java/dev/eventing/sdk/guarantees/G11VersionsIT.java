package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: only the version of the code that began a generation feeds it. */
class G11VersionsIT {

	private static final String REASON = "fees are counted now";

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@BeforeEach
	void createTable() {
		this.world.jdbc()
			.execute("create table fees (account text primary key, deposits bigint not null, fee bigint not null)");
	}

	@Test
	void buildsTheNextVersionOnNodesThatHaveItAndLeavesTheLiveOneToTheOthers() {
		append(1, 3);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			await().until(() -> deposits("public") == 3);
			try (AnnotationConfigApplicationContext later = start(new Second())) {
				awaitReportOf(2);
				build();
				awaitStatus(2, ProjectionGeneration.Status.READY);
				assertThat(this.operators.generations("fees")).extracting(ProjectionGeneration::version)
					.containsExactly(2, 1);
				append(4, 5);
				await().until(() -> deposits("public") == 5 && deposits("fees_g2") == 5);
				assertThat(fees("public")).isZero();
				assertThat(fees("fees_g2")).isEqualTo(10);
				switchTo(2);
				append(6, 7);
				await().until(() -> deposits("public") == 7 && deposits("fees_g1") == 7);
				assertThat(fees("public")).isEqualTo(14);
				assertThat(fees("fees_g1")).isZero();
				switchTo(1);
				append(8, 8);
				await().until(() -> deposits("public") == 8 && deposits("fees_g2") == 8);
				assertThat(fees("public")).isZero();
				assertThat(fees("fees_g2")).isEqualTo(16);
			}
		}
	}

	@Test
	void beginsWithTheNewestVersionWhereThereIsNoGeneration() {
		append(1, 3);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			await().until(() -> fees("public") == 6);
			assertThat(this.operators.generations("fees")).extracting(ProjectionGeneration::version).containsExactly(2);
		}
	}

	@Test
	void runsBothVersionsInOneApplication() {
		append(1, 3);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			await().until(() -> deposits("public") == 3);
		}
		try (AnnotationConfigApplicationContext both = start(new Wider(), new WiderSecond())) {
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			append(4, 4);
			await().until(() -> deposits("public") == 4 && deposits("fees_g2") == 4);
			assertThat(fees("public")).isZero();
			switchTo(2);
			append(5, 5);
			await().until(() -> deposits("public") == 5 && deposits("fees_g1") == 5);
			assertThat(fees("public")).isEqualTo(10);
		}
		try (AnnotationConfigApplicationContext later = start(new Second())) {
			append(6, 6);
			await().until(() -> deposits("public") == 6);
			this.operators.retire("fees", 1, "anna", REASON, Patience.LONG);
			await().until(() -> status() == Status.DONE);
			assertThat(fees("public")).isEqualTo(12);
		}
	}

	/** The two read one durable, and the stream from its beginning. */
	@Test
	void buildsTheNextVersionFromJetStreamSwitchesAndRollsBack() {
		publish(1, 5);
		try (AnnotationConfigApplicationContext former = start(new Streamed())) {
			await().until(() -> deposits("public") == 5);
			String durable = durable();
			try (AnnotationConfigApplicationContext both = start(new Streamed(), new StreamedSecond())) {
				awaitReportOf(2);
				build();
				awaitStatus(2, ProjectionGeneration.Status.READY);
				assertThat(this.operators.generations("fees")).extracting(ProjectionGeneration::version)
					.containsExactly(2, 1);
				publish(6, 8);
				awaitDeposits(8, "fees_g2");
				assertThat(fees("public")).isZero();
				assertThat(fees("fees_g2")).isEqualTo(16);
				switchTo(2);
				publish(9, 10);
				awaitDeposits(10, "fees_g1");
				assertThat(fees("public")).isEqualTo(20);
				assertThat(fees("fees_g1")).isZero();
				switchTo(1);
				publish(11, 11);
				awaitDeposits(11, "fees_g2");
				assertThat(fees("public")).isZero();
				assertThat(fees("fees_g2")).isEqualTo(22);
				assertThat(both.isActive()).isTrue();
			}
			publish(12, 12);
			await().until(() -> deposits("public") == 12);
			assertThat(durable()).isEqualTo(durable);
			assertThat(former.isActive()).isTrue();
		}
	}

	/**
	 * Only the live one has claims: an event that only the other takes has none.
	 */
	@Test
	void buildsNoVersionThatHandlesOtherEvents() {
		append(1, 1);
		try (AnnotationConfigApplicationContext both = start(new First())) {
			await().until(() -> deposits("public") == 1);
		}
		try (AnnotationConfigApplicationContext both = start(new First(), new WiderSecond())) {
			build();
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).startsWith("Version 2 handles ")
				.endsWith("Both must handle the same, if with a method that" + " does nothing.");
		}
		try (AnnotationConfigApplicationContext both = start(new Wider(), new WiderSecond())) {
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
		}
		try (AnnotationConfigApplicationContext mixed = start(new First(), new WiderSecond())) {
			await().until(() -> state(mixed) == ProjectorState.RUNNING);
			this.operators.switchTo("fees", 2, "anna", REASON, Patience.LONG);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).startsWith("The code that feeds the live generation handles ")
				.endsWith("Both must handle the same.");
			assertThat(this.operators.generations("fees")).extracting(ProjectionGeneration::status)
				.containsExactly(ProjectionGeneration.Status.READY, ProjectionGeneration.Status.LIVE);
		}
	}

	/** What earlier nodes applied is of version 1, though they recorded no generation. */
	@Test
	void takesAProjectorWithAPastForItsFirstVersion() {
		append(1, 1);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			await().until(() -> deposits("public") == 1);
		}
		this.world.jdbc().update("delete from eventing.projections");
		append(2, 2);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			await().until(() -> deposits("public") == 2);
			assertThat(fees("public")).isZero();
			assertThat(this.operators.generations("fees")).extracting(ProjectionGeneration::version).containsExactly(1);
		}
	}

	/** It is never fed by another version, and health shows that. */
	@Test
	void isFailedWhereNoNodeHasTheVersionOfTheLiveGeneration() {
		append(1, 1);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			await().until(() -> deposits("public") == 1);
			try (AnnotationConfigApplicationContext later = start(new Second())) {
				Steady.holds(Duration.ofSeconds(2), () -> state(later) == ProjectorState.STANDBY);
				former.close();
				append(2, 2);
				await().untilAsserted(() -> {
					ProjectorStatus status = World.status(later, "fees");
					assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
					assertThat(status.detail())
						.isEqualTo("Generation 1 of projector 'fees' is live and fed by version 1 of the code. "
								+ "This node has version 2. No node feeds it.");
				});
				assertThat(deposits("public")).isEqualTo(1);
				try (AnnotationConfigApplicationContext again = start(new First())) {
					await().until(() -> deposits("public") == 2);
					await().until(() -> state(later) == ProjectorState.STANDBY);
				}
			}
		}
	}

	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions).lease(Duration.ofSeconds(2)));
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, "fees").state();
	}

	private void append(long from, long to) {
		this.world.append(World.ACME, "a", from, to);
	}

	private void publish(long from, long to) {
		this.world.publish(World.ACME, "a", from, to);
	}

	/** When the durable of the live generation was created. */
	private String durable() {
		return this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), "fees-consumer"))
			.getCreationTime()
			.toString();
	}

	private void awaitDeposits(long number, String beside) {
		await().until(() -> deposits("public") == number && deposits(beside) == number);
	}

	private long deposits(String schema) {
		return sum(schema, "deposits");
	}

	private long fees(String schema) {
		return sum(schema, "fee");
	}

	private long sum(String schema, String column) {
		return this.world.count("select coalesce(sum(" + column + "), 0)::bigint from " + schema + ".fees");
	}

	private void awaitReportOf(int version) {
		await().until(
				() -> this.world.count("select count(*) from eventing.projector_nodes where version = " + version) > 0);
	}

	private void build() {
		this.operators.rebuildBeside("fees", "anna", REASON, Patience.LONG);
	}

	private void switchTo(int generation) {
		assertThat(PatientSwitch.ask(() -> {
			this.operators.switchTo("fees", generation, "anna", REASON, Patience.LONG);
			await().until(() -> status() != Status.PENDING);
			return detail();
		})).startsWith("Generation " + generation + " is live from position ");
	}

	private String detail() {
		return String.valueOf(this.operators.lastRequest("fees").orElseThrow().state().detail());
	}

	private Status status() {
		return this.operators.lastRequest("fees").orElseThrow().state().status();
	}

	private void awaitStatus(int generation, ProjectionGeneration.Status status) {
		await().until(() -> {
			List<ProjectionGeneration> all = this.operators.generations("fees");
			return all.stream().anyMatch((each) -> each.generation() == generation && each.status() == status);
		});
	}

	/** Counts deposits. */
	@Projector(value = "fees", tables = "fees")
	static class First {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event) {
			count(event, 0);
		}

		void count(Deposited event, long fee) {
			this.jdbc.update("""
					insert into fees as f (account, deposits, fee) values (?, 1, ?)
					on conflict (account) do update set deposits = f.deposits + 1, fee = f.fee + excluded.fee""",
					event.account(), fee);
		}

	}

	/** Counts deposits, from JetStream. */
	@Projector(value = "fees", tables = "fees")
	static class Streamed extends First {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event) {
			count(event, 0);
		}

	}

	/** Counts fees, too, from JetStream. */
	@Projector(value = "fees", version = 2, tables = "fees")
	static class StreamedSecond extends First {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3)
		public void on(Deposited event) {
			count(event, 2);
		}

	}

	/** The same version, in an application that has grown since. */
	@Projector(value = "fees", tables = "fees")
	static class Wider extends First {

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.EVENT_STORE)
		public void onWithdrawn(Withdrawn event) {
			this.jdbc.update("delete from fees where account = ?", event.account());
		}

	}

	/** The next version, of the same application. */
	@Projector(value = "fees", version = 2, tables = "fees")
	static class WiderSecond extends Second {

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.EVENT_STORE)
		public void onWithdrawn(Withdrawn event) {
			this.jdbc.update("delete from fees where account = ?", event.account());
		}

	}

	record Withdrawn(String account) {
	}

	/** Counts fees, too. */
	@Projector(value = "fees", version = 2, tables = "fees")
	static class Second extends First {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Deposited event) {
			count(event, 2);
		}

	}

}
