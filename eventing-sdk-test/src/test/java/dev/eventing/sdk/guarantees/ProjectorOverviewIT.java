package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.ProjectorOverview.Generation;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What operators see of the projectors of all nodes. */
class ProjectorOverviewIT extends StruckThreads {

	private static final String NODES = "select count(*) from eventing.projector_nodes where node = '%s'";

	@Test
	void showsPlaceOwnerAndLettersOfProjectorsOfEitherSource() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Both()))) {
			for (long version = 1; version <= 3; version++) {
				this.world.publish(World.ACME, "a", version, version);
				this.world.append(World.ACME, "a", version, version);
			}
			this.world.publish(World.ACME, "bad", 1, 1);
			this.world.append(World.ACME, "bad", 1, 1);
			String node = application.getBean(Leases.class).node();
			Projectors projectors = application.getBean(Projectors.class);
			for (String name : List.of("published", "appended")) {
				await().untilAsserted(() -> {
					ProjectorOverview seen = projectors.find(name).orElseThrow();
					assertThat(seen.generation()).isEqualTo(new Generation(1, "live"));
					assertThat(seen.status().state()).isEqualTo("RUNNING");
					assertThat(seen.position()).isEqualTo(4);
					assertThat(seen.behind()).isEqualTo(new Behind(0L, Duration.ZERO));
					assertThat(seen.owner()).isEqualTo(node);
					assertThat(seen.openLetters()).isEqualTo(1);
				});
			}
			assertThat(projectors.list()).extracting(ProjectorOverview::name).containsExactly("appended", "published");
		}
	}

	/** Also while a handler hangs, and while the projector is paused. */
	@Test
	void showsHowFarProjectorsOfEitherSourceLag() {
		CountDownLatch free = new CountDownLatch(1);
		Both both = new Both();
		both.free = free;
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(both))) {
			Projectors projectors = application.getBean(Projectors.class);
			for (int account = 0; account < 3; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
				this.world.append(World.ACME, "a" + account, 1, 1);
			}
			for (String name : List.of("published", "appended")) {
				awaitLag(projectors, name, 3);
				projectors.pause(name, "anna", "a test");
				await().until(() -> World.status(application, name).state() == ProjectorState.PAUSED);
			}
			free.countDown();
			await().until(() -> this.world.count("select count(*) from eventing.processed_events") == 6);
			for (int account = 3; account < 8; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
				this.world.append(World.ACME, "a" + account, 1, 1);
			}
			for (String name : List.of("published", "appended")) {
				awaitLag(projectors, name, 5);
				await().until(() -> projectors.find(name).orElseThrow().status().state().equals("PAUSED"));
			}
		}
		finally {
			free.countDown();
		}
	}

	private static void awaitLag(Projectors projectors, String name, long events) {
		await().untilAsserted(() -> {
			Behind behind = projectors.find(name).orElseThrow().behind();
			assertThat(behind.events()).as(name).isEqualTo(events);
			assertThat(Objects.requireNonNull(behind.time())).isPositive();
		});
	}

	@Test
	void forgetsANodeThatStoppedAtOnceAndOneThatDiedAfterAMinute() {
		AnnotationConfigApplicationContext application = start(new Accounts());
		String node = application.getBean(Leases.class).node();
		try (application) {
			await().until(() -> this.world.count(NODES.formatted(node)) == 1);
			reportAs("dead:1/a", "61 seconds");
			reportAs("silent:2/b", "-30 seconds"); // and is no minute old when the others
													// go
			reportAs("dead:3/c", "-2 minutes");
			await().atMost(Duration.ofMinutes(1).plus(Patience.LONG))
				.until(() -> this.world.count(NODES.formatted("dead:1/a"))
						+ this.world.count(NODES.formatted("dead:3/c")) == 0);
			assertThat(this.world.count(NODES.formatted("silent:2/b"))).isEqualTo(1);
		}
		assertThat(this.world.count(NODES.formatted(node))).isZero();
		assertThat(this.world.count(NODES.formatted("silent:2/b"))).isEqualTo(1);
	}

	@Test
	void aNodeThatStandsByHidesNoOwnerThatDoesNotReport() {
		this.world.jdbc().update("""
				insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at)
				values ('projector/' || ?, 'hung:1/a', 1, now(), now() + interval '1 minute')""", Accounts.PROJECTOR);
		reportAs("other:2/b", "STANDBY", "0 seconds");
		reportAs("dead:3/c", "RUNNING", "-20 minutes");
		try (AnnotationConfigApplicationContext others = this.world.start(WorldApplication.of())) {
			ProjectorOverview seen = others.getBean(Projectors.class).find(Accounts.PROJECTOR).orElseThrow();
			assertThat(seen.owner()).isEqualTo("hung:1/a");
			assertThat(seen.status().state()).isEqualTo("UNREPORTED");
			assertThat(seen.status().detail()).isNull();
			this.world.jdbc().update("delete from eventing.leases");
			assertThat(others.getBean(Projectors.class).find(Accounts.PROJECTOR).orElseThrow().status().state())
				.as("a report from the future is of a node that died before a failover")
				.isEqualTo("STANDBY");
		}
	}

	private void reportAs(String node, String age) {
		reportAs(node, "RUNNING", age);
	}

	private void reportAs(String node, String state, String age) {
		this.world.jdbc().update("""
				insert into eventing.projector_nodes (projector_name, node, state, reported_at)
				values (?, ?, ?, clock_timestamp() - cast(? as interval))""", Accounts.PROJECTOR, node, state, age);
	}

	@Test
	void saysThatNoNodeRunsAProjectorAndWhetherItIsPausedAllTheSame() {
		AnnotationConfigApplicationContext application = start(new Accounts());
		Projectors projectors = application.getBean(Projectors.class);
		try (application) {
			await().until(() -> projectors.find(Accounts.PROJECTOR)
				.filter((seen) -> seen.status().state().equals("RUNNING"))
				.isPresent());
			projectors.pause(Accounts.PROJECTOR, "anna", "a test");
		}
		try (AnnotationConfigApplicationContext others = this.world.start(WorldApplication.of())) {
			ProjectorOverview seen = others.getBean(Projectors.class).find(Accounts.PROJECTOR).orElseThrow();
			assertThat(seen.hasNode()).isFalse();
			assertThat(seen.status().paused()).isTrue();
			assertThat(seen.status().detail()).isEqualTo("paused by anna: a test");
			assertThat(seen.owner()).isNull();
		}
	}

	@Test
	void refusesToPauseAProjectorThatNeverRan() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of())) {
			Projectors projectors = application.getBean(Projectors.class);
			assertThatExceptionOfType(UnknownNameException.class)
				.isThrownBy(() -> projectors.pause("acounts", "anna", "a test"))
				.withMessageContaining("'acounts'");
			assertThat(this.world.count("select count(*) from eventing.projector_controls")).isZero();
		}
	}

	@Test
	void projectorsRunOnWhileANodeCannotReport() {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			FaultyDataSource.Fault fault = this.database.failFor("eventing-node-reports", Integer.MAX_VALUE,
					new OutOfMemoryError("of the test"));
			await().untilAsserted(() -> assertThat(health(application).getDetails()).containsKey("reporting"));
			Health health = health(application);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(String.valueOf(health.getDetails().get("reporting"))).contains("eventing-node-reports",
					"OutOfMemoryError: of the test");
			this.world.publish(World.ACME, "a", 1, 3);
			awaitVersion("a", 3);
			fault.left().set(0);
			await().untilAsserted(() -> assertThat(health(application).getDetails()).doesNotContainKey("reporting"));
			String node = application.getBean(Leases.class).node();
			await().until(() -> this.world.count(NODES.formatted(node)) == 1);
		}
	}

	/** A projector of each source. Its handlers refuse the account {@code bad}. */
	static class Both {

		@Autowired
		private JdbcTemplate jdbc;

		private CountDownLatch free = new CountDownLatch(0);

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "published", maxDeliver = 1)
		public void published(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId + "-published");
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "appended", maxDeliver = 1,
				source = Source.EVENT_STORE)
		public void appended(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId + "-appended");
		}

		private void apply(Deposited event, String tenantId) {
			awaitQuietly(this.free);
			if (event.account().equals("bad")) {
				throw new Accounts.Refused();
			}
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
