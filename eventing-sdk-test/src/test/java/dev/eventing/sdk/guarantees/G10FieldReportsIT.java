package dev.eventing.sdk.guarantees;

import java.util.Collections;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G10: what users of other libraries have reported of rebuilds does not happen here. */
class G10FieldReportsIT extends BesideSetup {

	private static final String OTHER = "sums";

	/** More positions than a page has events. */
	private static final int GAP = 3000;

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table sums (account text primary key, total bigint not null)");
	}

	/** A rebuild failed that had no events (JasperFx/marten#2597). */
	@Test
	void rebuildsAReadModelOfNoEvents() {
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			rebuildInPlace(Accounts.PROJECTOR, 2);
			build();
			awaitStatus(3, ProjectionGeneration.Status.READY);
			switchTo(3);
			appendAll(1, 3);
			awaitVersions("public", 3);
			awaitVersions("accounts_g2", 3);
			assertThatTheReadModelIsExact(3);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * Events were left out after a gap in the positions that was larger than a page
	 * (JasperFx/marten#624).
	 */
	@Test
	void leavesOutNoEventAfterAGapThatIsLargerThanAPage() {
		appendAll(1, 1);
		leaveGap();
		appendAll(2, 2);
		leaveGap();
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(2);
			rebuildInPlace(Accounts.PROJECTOR, 2);
			assertThatTheReadModelIsExact(2);
			build();
			awaitStatus(3, ProjectionGeneration.Status.READY);
			leaveGap();
			appendAll(3, 3);
			awaitVersions("accounts_g3", 3);
			switchTo(3);
			assertThatTheReadModelIsExact(3);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * Of two projections of the same events, rebuilt one after the other and again, the
	 * second was emptied and both lost events (JasperFx/marten#3690).
	 */
	@Test
	void rebuildsTwoReadModelsOfTheSameEventsInTurns() {
		appendAll(1, 2);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Stored(), new Sums()))) {
			for (int round = 1; round <= 2; round++) {
				awaitBoth(2L * round);
				rebuildInPlace(Accounts.PROJECTOR, 1 + round);
				awaitBoth(2L * round);
				rebuildInPlace(OTHER, 1 + round);
				awaitBoth(2L * round);
				appendAll(2L * round + 1, 2L * round + 2);
			}
			awaitBoth(6);
			assertThatTheReadModelIsExact(6);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void rebuildInPlace(String projector, int generation) {
		this.operators.rebuildInPlace(projector, "anna", REASON, Patience.LONG);
		await().until(() -> this.operators.generations(projector)
			.stream()
			.anyMatch((each) -> each.generation() == generation && each.status() == ProjectionGeneration.Status.LIVE));
	}

	/** Positions that transactions drew which rolled back. */
	private void leaveGap() {
		long drawn = this.world.count("""
				select max(nextval(pg_get_serial_sequence('eventing.events', 'global_position')))
				  from generate_series(1, %d)""".formatted(GAP));
		assertThat(drawn).isGreaterThan(GAP);
	}

	private void awaitBoth(long version) {
		awaitVersions(version);
		long sum = version * (version + 1) / 2;
		await().until(() -> this.world.jdbc()
			.queryForList("select total from sums", Long.class)
			.equals(Collections.nCopies(NAMES, sum)));
	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Stored {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	@Projector(value = OTHER, tables = "sums")
	static class Sums {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.jdbc.update("""
					insert into sums as s values (?, ?)
					on conflict (account) do update set total = s.total + excluded.total""", event.account(),
					event.amount());
		}

	}

}
