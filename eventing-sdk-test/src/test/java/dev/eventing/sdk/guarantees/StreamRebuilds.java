package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Rebuilds of a projector that reads JetStream, and what must be so after them. */
final class StreamRebuilds {

	static final int NAMES = 7;

	private static final String REASON = "a column was wrong";

	private final World world;

	final Projections operators;

	final JdbcProjectors projectors;

	StreamRebuilds(World world) {
		this.world = world;
		this.operators = new JdbcProjections(world.jdbc().getDataSource(), EventingSchema.defaults());
		this.projectors = new JdbcProjectors(world.jdbc().getDataSource(), EventingSchema.defaults());
	}

	AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	void publishAll(long from, long to) {
		for (int account = 0; account < NAMES; account++) {
			this.world.publish(World.ACME, "a" + account, from, to);
		}
	}

	/** Publishes an event, and again when the stream does not know it any more. */
	void publishTwice(String account, long version) {
		Event<?> event = this.world.deposit(World.ACME, account, version);
		long before = lastSequence();
		this.world.publish(event);
		await().until(() -> {
			this.world.publish(event);
			return lastSequence() >= before + 2;
		});
	}

	long lastSequence() {
		return this.world.jetStream(
				(management) -> management.getStreamInfo(this.world.stream()).getStreamState().getLastSequence());
	}

	void rebuild() {
		this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
	}

	void build() {
		this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
	}

	void build(BuildOptions options) {
		this.operators.rebuildBeside(Accounts.PROJECTOR, options, "anna", REASON, Patience.LONG);
	}

	void requestSwitch(int generation) {
		this.operators.switchTo(Accounts.PROJECTOR, generation, "anna", REASON, Patience.LONG);
	}

	void switchTo(int generation) {
		assertThat(PatientSwitch.ask(() -> {
			requestSwitch(generation);
			await().until(() -> status() != Status.PENDING);
			return detail();
		})).startsWith("Generation " + generation + " is live from position ");
	}

	void retire(int generation) {
		this.operators.retire(Accounts.PROJECTOR, generation, "anna", REASON, Patience.LONG);
		await().until(() -> status() == Status.DONE);
	}

	void awaitRefused(String why) {
		await().until(() -> status() == Status.FAILED);
		assertThat(detail()).contains(why);
	}

	Status status() {
		return this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().status();
	}

	String detail() {
		return String.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail());
	}

	void awaitStatus(int generation, ProjectionGeneration.Status status) {
		await().until(() -> generation(generation).map(ProjectionGeneration::status), Optional.of(status)::equals);
	}

	Optional<ProjectionGeneration> generation(int generation) {
		return this.operators.generations(Accounts.PROJECTOR)
			.stream()
			.filter((each) -> each.generation() == generation)
			.findFirst();
	}

	ProjectorOverview overview(String role) {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.generation().role().equals(role))
			.findFirst()
			.orElseThrow();
	}

	void awaitVersions(String schema, long version) {
		await().ignoreExceptions()
			.until(() -> this.world.count("select count(*) from " + schema
					+ ".account where account like 'a_' and version = " + version) == NAMES);
	}

	void assertThatTheReadModelIsExact(String schema, long version) {
		assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).isEmpty();
		assertThat(this.world.jdbc()
			.queryForList(
					"select * from " + schema + ".account where account like 'a_' and (version <> ? or total <> ?)",
					version, version * (version + 1) / 2))
			.isEmpty();
		assertThat(this.world.count("select count(*) from " + schema + ".account where account like 'a_'"))
			.isEqualTo(NAMES);
	}

	/**
	 * The durable's state at the server, which an update or a new durable would change.
	 */
	String durable() {
		return this.world.jetStream((management) -> {
			var info = management.getConsumerInfo(this.world.stream(), "accounts-consumer");
			return info.getCreationTime() + " " + info.getConsumerConfiguration().toJson();
		});
	}

	void assertThatNothingIsLeft() {
		await().untilAsserted(() -> assertThat(this.world.consumers()).containsExactly("accounts-consumer"));
		assertThat(this.world.count("select count(*) from pg_namespace where nspname like 'accounts%'")).isZero();
		for (String table : List.of("leases", "lease_epochs")) {
			await().until(() -> this.world
				.count("select count(*) from eventing." + table + " where lease_name like '%#%'") == 0);
		}
		for (String table : List.of("projector_checkpoints", "projector_handouts", "projector_attempts",
				"projector_coverage", "dead_letters", "processed_events")) {
			assertThat(this.world.count("select count(*) from eventing." + table + " where projector_name like '%#%'"))
				.as(table)
				.isZero();
		}
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
		await().until(() -> this.world.count("select count(*) from eventing.projection_claims") == 0);
	}

}
