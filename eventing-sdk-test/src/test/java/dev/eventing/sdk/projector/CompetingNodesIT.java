package dev.eventing.sdk.projector;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import javax.sql.DataSource;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.feed.jetstream.SavedPlace;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Nodes that compete for the events of one projector note where it stands, and what of
 * its stream they were given, in the same rows.
 */
class CompetingNodesIT {

	private static final String PROJECTOR = "orders";

	private static final String STREAM = "ORDERS";

	private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final DataSource dataSource = this.fixture.dataSource();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	private final JdbcPositions positions = new JdbcPositions(this.jdbc, EventingSchema.defaults(),
			ProjectorId.of(PROJECTOR));

	private final JdbcCoverage table = new JdbcCoverage(this.jdbc, EventingSchema.defaults(),
			ProjectorId.of(PROJECTOR));

	private final Leases leases = this.fixture
		.opened(new Leases(this.dataSource, EventingSchema.defaults(), LeaseOptions.defaults()));

	@Test
	void takesWhatAnotherNodeHasSavedMeanwhileForNoDatabaseThatWasSetBack() {
		SavedPlace one = place();
		SavedPlace other = place();
		other.save(at(10), false);
		one.look(STREAM);
		other.look(STREAM);
		other.save(at(20), false);
		one.save(at(30), false);
		assertThat(floor(one.look(STREAM))).isEqualTo(20);
		one.save(at(30), false);
		assertThat(floor(other.look(STREAM))).isEqualTo(30);
	}

	@Test
	void savesAPlaceThatHasNotMovedAgainFromTimeToTime() {
		SavedPlace place = place();
		place.save(at(10), false);
		this.jdbc.update("update eventing.projector_positions set updated_at = now() - interval '5 minutes'");
		place.look(STREAM);
		place.save(at(10), false);
		assertThat(Objects.requireNonNull(place.look(STREAM)).age()).isGreaterThan(Duration.ofMinutes(4));
		this.jdbc.update("update eventing.projector_positions set updated_at = now() - interval '11 minutes'");
		place.look(STREAM);
		place.save(at(10), false);
		assertThat(Objects.requireNonNull(place.look(STREAM)).age()).isLessThan(Duration.ofMinutes(4));
	}

	@Test
	void savesNoFirstPlaceOverThatOfAnotherNode() {
		SavedPlace one = place();
		SavedPlace other = place();
		one.look(STREAM);
		other.look(STREAM);
		other.save(at(20), false);
		one.save(at(0), false);
		assertThat(floor(other.look(STREAM))).isEqualTo(20);
	}

	@Test
	void savesNoLowerFloorOfTheSameStreamButWhereItBegins() {
		SavedPlace place = place();
		place.save(at(20), true);
		place.save(at(10), false);
		assertThat(this.positions.find(STREAM)).as("a durable whose server did not know its state yet")
			.extracting(Saved::floor, Saved::cleanStop)
			.containsExactly(20L, true);
		place.begin(at(10), 10, () -> {
		});
		assertThat(floor(this.positions.find(STREAM))).isEqualTo(10);
		place.save(at(new DurableState.StreamState(STREAM, CREATED.plusSeconds(1), 5)), false);
		assertThat(floor(this.positions.find(STREAM))).as("of another stream").isEqualTo(5);
	}

	@Test
	void beginsAnewWhereAnotherNodeHasSavedItsPlaceMeanwhile() {
		SavedPlace one = place();
		SavedPlace other = place();
		one.look(STREAM);
		other.look(STREAM);
		other.begin(at(20), 20, () -> {
		});
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> one.begin(at(20), 5, () -> this.table.skipped(STREAM, "orders.* Shipped", 5)))
			.withMessageContainingAll(PROJECTOR, STREAM);
		assertThat(this.table.find(STREAM)).isEmpty();
		one.look(STREAM);
		one.begin(at(20), 5, () -> {
		});
		assertThat(floor(this.positions.find(STREAM))).isEqualTo(5);
	}

	@Test
	void keepsWhatAnotherNodeNotedWhileThisOneWorkedOutWhereToBegin() {
		Coverage one = coverage("orders.*");
		CoveragePlan stale = one.plan(STREAM, false, 10, (subject) -> CoveragePlan.NO_EVENT);
		transactions().note(() -> this.table.skipped(STREAM, "orders.* Shipped", 7));
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> transactions().note(() -> one.write(stale)))
			.withMessageContainingAll(PROJECTOR, STREAM);
		CoveragePlan anew = one.plan(STREAM, false, 10, (subject) -> CoveragePlan.NO_EVENT);
		transactions().note(() -> one.write(anew));
		assertThat(this.table.find(STREAM)).extracting(Row::name).containsExactly("orders.*", "orders.* Shipped");
		assertThat(anew.from()).isEqualTo(10);
	}

	@Test
	void waitsForWhatAnotherNodeIsNoting() {
		Coverage one = coverage("orders.*");
		CoveragePlan first = one.plan(STREAM, false, 0, (subject) -> CoveragePlan.NO_EVENT);
		transactions().note(() -> one.write(first));
		one.follow(first);
		CoveragePlan stale = one.plan(STREAM, false, 10, (subject) -> CoveragePlan.NO_EVENT);
		CompletableFuture<Void> writing = transactions().execute(() -> {
			this.table.skipped(STREAM, "orders.* Shipped", 7);
			CompletableFuture<Void> begun = CompletableFuture
				.runAsync(() -> transactions().note(() -> one.write(stale)));
			await().until(() -> waiting() == 1 || begun.isDone());
			return begun;
		});
		assertThat(writing).failsWithin(Patience.LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(OptimisticLockingFailureException.class);
		assertThat(this.table.find(STREAM)).extracting(Row::name).containsExactly("orders.*", "orders.* Shipped");
	}

	private long waiting() {
		Long waiting = new JdbcTemplate(this.dataSource).queryForObject(
				"select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
				Long.class);
		return (waiting != null) ? waiting : 0;
	}

	private SavedPlace place() {
		return new SavedPlace(ProjectorId.of(PROJECTOR), this.positions, new PrimaryHistory(this.jdbc), transactions());
	}

	private Coverage coverage(String subject) {
		HandlerMethod handler = new HandlerMethod("Orders.on(Ordered)", SubjectTemplate.of(subject),
				Map.of("Ordered", Object.class), false, (events, resources) -> {
				});
		ProjectorSettings competing = ProjectorSettings.builder().ordering(Ordering.NONE).build();
		return new Coverage(new ProjectorEndpoint(ProjectorId.of(PROJECTOR), PROJECTOR, STREAM, List.of(handler),
				ProjectorOptions.of(competing)), this.table, transactions());
	}

	private FencedTransactions transactions() {
		return new FencedTransactions(ProjectorId.of(PROJECTOR), new JdbcTransactionManager(this.dataSource), this.jdbc,
				ProjectorLease.shared(this.leases), new OpenTransactions(this.dataSource, Duration.ZERO),
				JdbcOptions.defaults().statementTimeout(), List.of());
	}

	private static DurableState at(long floor) {
		return at(new DurableState.StreamState(STREAM, CREATED, floor));
	}

	private static DurableState at(DurableState.StreamState stream) {
		return new DurableState(stream, stream.last(), stream.last(), 0, 0, 0, 0);
	}

	private static long floor(@Nullable Saved saved) {
		return (saved != null) ? saved.floor() : -1;
	}

}
