package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an operator does with the generations of one projector, and what must be so when
 * they are gone.
 */
final class Generations {

	private static final Duration LOOK = Duration.ofMillis(20);

	private static final String ACTOR = "anna";

	private static final String REASON = "a test";

	private final World world;

	private final String projector;

	private final Projections operators;

	Generations(World world, String projector) {
		this.world = world;
		this.projector = projector;
		this.operators = new JdbcProjections(world.jdbc().getDataSource(), EventingSchema.defaults());
	}

	/** Builds one beside the live one; returns its number when it is ready. */
	int build() {
		this.operators.rebuildBeside(this.projector, ACTOR, REASON, Patience.LONG);
		await().pollInterval(LOOK).until(() -> {
			assertThat(status()).as(detail()).isNotEqualTo(Status.FAILED);
			return beside().filter((each) -> each.status() == ProjectionGeneration.Status.READY).isPresent();
		});
		return beside().orElseThrow().generation();
	}

	void requestBuild() {
		this.operators.rebuildBeside(this.projector, ACTOR, REASON, Patience.LONG);
	}

	void requestSwitch(int generation) {
		this.operators.switchTo(this.projector, generation, ACTOR, REASON, Patience.LONG);
	}

	void switchTo(int generation) {
		assertThat(PatientSwitch.ask(() -> {
			requestSwitch(generation);
			awaitEnd();
			return detail();
		})).startsWith("Generation " + generation + " is live from position ");
	}

	void retire(int generation) {
		this.operators.retire(this.projector, generation, ACTOR, REASON, Patience.LONG);
		awaitEnd();
		assertThat(status()).as(detail()).isEqualTo(Status.DONE);
	}

	boolean cancel() {
		return this.operators.cancel(this.projector, ACTOR, REASON);
	}

	/** Waits until nothing is requested any more. */
	void awaitEnd() {
		await().pollInterval(LOOK).until(() -> status() != Status.PENDING);
	}

	/** Waits until the live one is held for a switch. */
	void awaitHeld() {
		await().pollInterval(LOOK).until(this::isHeld);
	}

	boolean isHeld() {
		return this.world.count("""
				select count(*) from eventing.projection_requests
				 where projection_name = '%s' and status = 'PENDING' and held_at is not null
				   and hold_until > clock_timestamp()""".formatted(this.projector)) > 0;
	}

	/** Whether nothing is requested. */
	boolean isOver() {
		return status() != Status.PENDING;
	}

	Status status() {
		return last().map((each) -> each.state().status()).orElseThrow();
	}

	String detail() {
		return String.valueOf(last().map((each) -> each.state().detail()).orElse(null));
	}

	Optional<ProjectionRequest> last() {
		return this.operators.lastRequest(this.projector);
	}

	/** The newest first. */
	List<ProjectionGeneration> all() {
		return this.operators.generations(this.projector);
	}

	Optional<ProjectionGeneration> beside() {
		return all().stream().filter((each) -> each.status().isBeside()).findFirst();
	}

	int live() {
		return all().stream()
			.filter((each) -> each.status() == ProjectionGeneration.Status.LIVE)
			.findFirst()
			.orElseThrow()
			.generation();
	}

	/** No generation stands beside the live one, and nothing is left of any. */
	void assertThatNothingIsLeft() {
		assertThat(this.world.count("select count(*) from pg_namespace where nspname ~ '_g[0-9]+$'")).isZero();
		for (String table : List.of("leases", "lease_epochs")) {
			await().untilAsserted(() -> assertThat(this.world.jdbc()
				.queryForList("select lease_name from eventing." + table + " where lease_name like '%#%'")).as(table)
				.isEmpty());
		}
		for (String table : List.of("projector_checkpoints", "projector_handouts", "projector_attempts",
				"projector_coverage", "dead_letters", "processed_events")) {
			assertThat(this.world.jdbc()
				.queryForList(
						"select projector_name from eventing." + table + " where projector_name like '%#%' limit 3"))
				.as(table)
				.isEmpty();
		}
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
	}

}
