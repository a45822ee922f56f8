package dev.eventing.sdk.observability;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.reconcile.DeclaredChecks;
import dev.eventing.sdk.projection.reconcile.ReconciliationRunner;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.container.ProjectorContainers;
import dev.eventing.sdk.projector.progress.ProgressReader;
import dev.eventing.sdk.projector.pruning.PruningWorker;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventRows;
import dev.eventing.sdk.worker.StallOptions;
import dev.eventing.sdk.worker.StallWatch;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/** The state of projectors while there is neither NATS nor PostgreSQL. */
class ProjectorsWithoutServersTests {

	private final NatsClient nats = new NatsClient(NatsOptions.of("nats://user:secret@127.0.0.1:1"));

	private final ProjectorContainers projectors = new ProjectorContainers(services(), Duration.ofSeconds(1));

	private final PruningWorker pruner = new PruningWorker(this.projectors, services(), PruningOptions.DEFAULTS);

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	@AfterEach
	void close() {
		this.projectors.close();
		this.nats.close();
	}

	@Test
	void healthIsUpWhereNothingIsToRun() {
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthIsUpWhileAProjectorIsStoppedOnPurpose() {
		register("orders");
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(projector("orders")).containsEntry("state", ProjectorState.STOPPED).doesNotContainKey("since");
	}

	@Test
	void healthIsOutOfServiceWhileAProjectorWaitsForItsServers() {
		register("orders");
		this.projectors.start();
		assertThat(health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(projector("orders")).containsEntry("state", ProjectorState.WAITING_FOR_DATABASE)
			.containsKey("since");
	}

	@Test
	void healthShowsTheConnectionWithoutItsCredentials() {
		assertThat(health().getDetails().get("nats"))
			.isEqualTo(Map.of("servers", "nats://127.0.0.1:1", "connected", false));
	}

	@Test
	void metersAreThereForEachProjector() {
		register("orders");
		register("users");
		metrics().bindTo(this.meters);
		for (String projector : List.of("orders", "users")) {
			assertThat(this.meters.getMeters()).extracting(Meter::getId)
				.filteredOn((id) -> projector.equals(id.getTag("projector")))
				.allSatisfy((id) -> assertThat(id.getTag("role")).isEqualTo("live"))
				.extracting((id) -> id.getName() + " " + Objects.requireNonNullElse(id.getTag("outcome"), ""))
				.containsExactlyInAnyOrder("eventing.projector.events processed", "eventing.projector.events duplicate",
						"eventing.projector.events skipped", "eventing.projector.events dead",
						"eventing.projector.events parked", "eventing.projector.redriven ",
						"eventing.projector.duplicates.differing ", "eventing.projector.attempts.failed ",
						"eventing.projector.transactions ", "eventing.projector.in.flight ",
						"eventing.projector.waiting.for.retry ", "eventing.projector.pending ",
						"eventing.projector.stalled ", "eventing.projector.lag.events ",
						"eventing.projector.dead.letters.parked ", "eventing.projector.lag.time ",
						"eventing.projector.running ", "eventing.projector.pruned ", "eventing.projector.pruned.age ");
		}
		assertThat(this.meters.get("eventing.projector.running").tag("projector", "orders").gauge().value()).isZero();
		assertThat(this.meters.get("eventing.projector.pruned").tag("projector", "orders").functionCounter().count())
			.isZero();
		assertThat(this.meters.get("eventing.projector.pruned.age").tag("projector", "orders").gauge().value())
			.as("no pass yet")
			.isNaN();
	}

	@Test
	void metersOfProjectorsRegisteredLateAreThereOnceTheContextIs() {
		ProjectorMetrics metrics = metrics();
		metrics.bindTo(this.meters);
		register("late");
		assertThat(this.meters.getMeters()).isEmpty();
		metrics.onApplicationEvent(new ContextRefreshedEvent(new StaticApplicationContext()));
		assertThat(this.meters.find("eventing.projector.running").tag("projector", "late").gauge()).isNotNull();
	}

	private void register(String name) {
		this.projectors.register(new ProjectorEndpoint(ProjectorId.of(name), name + "-consumer", null, List.of(),
				ProjectorOptions.of(ProjectorSettings.NONE)));
	}

	private Health health() {
		return Objects.requireNonNull(new EventingHealthIndicator(this.projectors, this.nats, this.pruner,
				new StallWatch(() -> List.of(this.projectors), StallOptions.defaults()))
			.health());
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> projector(String name) {
		Map<String, Object> all = (Map<String, Object>) health().getDetails().get("projectors");
		return (Map<String, Object>) Objects.requireNonNull(Objects.requireNonNull(all).get(name));
	}

	private ProjectorMetrics metrics() {
		return new ProjectorMetrics(this.projectors, new ProgressReader(this.projectors, services()),
				new JdbcDeadLetters(new DriverManagerDataSource("jdbc:none:nowhere"), EventingSchema.defaults(),
						EventJson.mapper()),
				this.pruner);
	}

	private ProjectorServices services() {
		DriverManagerDataSource nowhere = new DriverManagerDataSource("jdbc:none:nowhere");
		EventingSchema schema = EventingSchema.defaults();
		JdbcTemplate jdbc = new JdbcTemplate(nowhere);
		return new ProjectorServices(this.nats, new Streams(this.nats, List.of()), new EventReader(EventJson.mapper()),
				new ProjectorServices.Database(nowhere, new JdbcTransactionManager(nowhere), schema,
						JdbcOptions.defaults()),
				new ProjectorServices.Tables(new ProcessedEvents(jdbc, schema, new OpenLetters(schema)),
						new DeadLetterLedger(jdbc, schema, EventJson.mapper()),
						new Leases(nowhere, schema, LeaseOptions.defaults()),
						new ReconciliationRunner(new DeclaredChecks(), new CheckLedger(nowhere, schema), nowhere,
								schema, ReconciliationOptions.defaults(),
								new EventRows(EventJson.mapper(), EventVersions.NONE))),
				DeadLetterStreamOptions.defaults(),
				new EventStoreAccess(new EventLog(nowhere, schema, EventJson.mapper()), new AppendSignal(),
						EventSubjects.DEFAULT, new EventWriter(EventJson.mapper()), () -> {
							throw new IllegalStateException("no projector here appends");
						}),
				Clock.systemUTC());
	}

}
