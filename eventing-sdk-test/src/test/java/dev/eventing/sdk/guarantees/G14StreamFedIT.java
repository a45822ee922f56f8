package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamState;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G14 for a projector that reads a stream to which a relay of the same database
 * publishes: which events of the event store it has applied is known at any time.
 */
class G14StreamFedIT {

	private static final int RUNS = 30;

	private static final int WRITERS = 3;

	private static final int ACCOUNTS = 5;

	/** Of an account. A dead letter parks the later ones. */
	private static final int EVENTS = 20;

	private static final TenantId GLOBEX = TenantId.of("globex");

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createReadModel() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
	}

	@Test
	void findsNothingOnASoundSystemWhileEventsFlow() throws Exception {
		Streamed totals = new Streamed();
		totals.refusesOneOf = 25;
		AtomicBoolean enough = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
		Set<Long> positions = new HashSet<>();
		long ahead = 0;
		try (AnnotationConfigApplicationContext application = start(totals)) {
			List<Future<?>> running = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				running.add(threads.submit(() -> write(number, enough)));
			}
			awaitAnswer(application);
			for (int run = 0; run < RUNS || positions.size() < 3; run++) {
				Answer answer = answer(application);
				assertThat(answer.sample()).as(() -> evidence(answer)).isEmpty();
				assertThat(answer.differences()).isZero();
				positions.add(answer.position());
				ahead += this.world
					.count("""
							select count(*) from eventing.processed_events p join eventing.events e using (event_id, tenant_id)
							 where e.global_position > (select store_position from eventing.projector_positions)""");
			}
			assertThat(ahead).as("claims after the position").isPositive();
			assertThat(this.world.count("select count(*) from eventing.dead_letters")).as("letters").isPositive();
			enough.set(true);
			for (Future<?> each : running) {
				each.get();
			}
			this.world.operators().discard(DeadLetterFilter.ALL.withProjector("totals"), "anna", "a test");
			awaitPosition(head());
			assertThat(answer(application).differences()).isZero();
			findsWhatWasChangedByHand(application);
		}
		finally {
			enough.set(true);
			threads.shutdown();
		}
	}

	/** Of the first account that differs: which of its events are where. */
	private String evidence(Answer answer) {
		String account = answer.sample().get(0).replaceAll(".*\"account\": \"([^\"]+)\".*", "$1");
		Map<String, Long> sequences = new HashMap<>();
		String stream = this.world.jetStream((management) -> {
			StreamState state = management.getStreamInfo(this.world.stream()).getStreamState();
			for (long sequence = 1; sequence <= state.getLastSequence(); sequence++) {
				sequences.put(management.getMessage(this.world.stream(), sequence).getHeaders().getFirst("Nats-Msg-Id"),
						sequence);
			}
			return state + " " + management.getConsumers(this.world.stream());
		});
		List<String> events = this.world.jdbc().query("""
				select e.global_position, e.event_id, e.recorded_at, p.processed_at, d.status, d.dead_at
				  from eventing.events e
				  left join eventing.processed_events p using (event_id, tenant_id)
				  left join eventing.dead_letters d using (event_id, tenant_id)
				 where e.payload->>'account' = ? order by 1""", (row, number) -> {
			String id = row.getString(2);
			String sequence = sequences.entrySet()
				.stream()
				.filter((each) -> each.getKey().contains(id))
				.map((each) -> each.getValue().toString())
				.findFirst()
				.orElse("not in the stream");
			return "%d: %s, %s, recorded %s, claimed %s, letter %s %s".formatted(row.getLong(1), id, sequence,
					row.getString(3), row.getString(4), row.getString(5), row.getString(6));
		}, account);
		return stream + "\n" + this.world.jdbc().queryForList("select * from eventing.projector_positions") + "\n"
				+ this.world.jdbc().queryForList("select * from eventing.relay_positions") + "\n"
				+ this.world.jdbc().queryForList("select * from totals where account = ?", account) + "\n"
				+ String.join("\n", events);
	}

	private void findsWhatWasChangedByHand(AnnotationConfigApplicationContext application) {
		String first = this.world.jdbc().queryForObject("select min(account) from totals", String.class);
		String last = this.world.jdbc().queryForObject("select max(account) from totals", String.class);
		this.world.jdbc().update("update totals set total = total + 1 where account = ?", first);
		this.world.jdbc().update("delete from totals where account = ?", last);
		this.world.jdbc().update("insert into totals values ('nobody', 1, 1)");
		assertThat(answer(application).sample()).hasSize(3)
			.anySatisfy((row) -> assertThat(row).contains(first))
			.anySatisfy((row) -> assertThat(row).contains(last, "\"found\": null"))
			.anySatisfy((row) -> assertThat(row).contains("nobody", "\"expected\": null"));
	}

	/** Before they are published, after that, and in the moment between. */
	@Test
	void leavesOutEventsThatARelayCannotPublishUntilTheProjectorHasAppliedThem() {
		try (AnnotationConfigApplicationContext application = start(new Streamed())) {
			append(World.ACME, "a0", 1, 3);
			awaitPosition(head());
			carry(".acme.>");
			append(GLOBEX, "g0", 1, 20);
			append(World.ACME, "a0", 4, 6);
			awaitPosition(head());
			assertThat(this.world.count("select count(*) from eventing.relay_refusals")).isEqualTo(20);
			assertThat(this.world.count("select cardinality(store_refused) from eventing.projector_positions"))
				.isEqualTo(20);
			assertThat(answer(application).differences()).isZero();
			carry(".>");
			await().pollInterval(Duration.ofMillis(5)).until(() -> {
				assertThat(answer(application).differences()).isZero();
				return this.world.count("select cardinality(store_refused) from eventing.projector_positions") == 0;
			});
			assertThat(this.world.count("select events from totals where account = 'g0'")).isEqualTo(20);
		}
	}

	@Test
	void findsAnEventThatTheReadModelLacks() {
		try (AnnotationConfigApplicationContext application = start(new Streamed())) {
			append(World.ACME, "a0", 1, 3);
			awaitPosition(head());
			append(World.ACME, "a1", 1, 1);
			await().until(() -> this.world.count("select count(*) from totals where account = 'a1'") == 1);
			assertThat(answer(application).differences()).isZero();
			this.world.jdbc().update("delete from totals where account = 'a1'");
			assertThat(answer(application).sample()).singleElement().asString().contains("a1");
		}
	}

	@Test
	void hasNoAnswerBeforeARelayHasPublishedToTheStream() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Streamed(), new ReconciliationSetup.Checks()))) {
			assertThat(run(application).error()).contains("it reads stream '" + this.world.stream() + "'",
					"to which no relay of this event store has published");
		}
	}

	@Test
	void hasNoAnswerForAProjectorThatBeganWithNewEvents() {
		try (AnnotationConfigApplicationContext application = start(new NewOnes())) {
			append(World.ACME, "a0", 1, 3);
			await()
				.untilAsserted(() -> assertThat(run(application).error()).contains("or it began with new events only"));
			Steady.holds(Duration.ofSeconds(12), () -> run(application).error() != null);
		}
	}

	@Test
	void hasNoAnswerWhereClaimsWerePrunedThatItNeeds() {
		try (AnnotationConfigApplicationContext application = start(new Streamed())) {
			append(World.ACME, "a0", 1, 3);
			awaitPosition(head());
			this.world.jdbc().update("update eventing.projector_positions set store_position = 0");
			assertThat(answer(application).differences()).isZero();
			this.world.jdbc().update("""
					insert into eventing.projector_prunings (projector_name, stream, pruned_before, retention)
					values ('totals', 'any', now(), interval '1 day')""");
			assertThat(run(application).error()).contains("rows of processed_events were pruned");
		}
	}

	private AnnotationConfigApplicationContext start(Object totals) {
		return this.world.start(WorldApplication.of(totals, new ReconciliationSetup.Checks())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(RelayOptions.class,
					() -> RelayOptions.named("accounts").withSubjects(this.world.root() + ".{tenant}.deposited"))));
	}

	private void write(int writer, AtomicBoolean enough) {
		for (int version = 0; !enough.get(); version++) {
			int expected = version % EVENTS;
			int round = version / EVENTS;
			this.world.inTransaction((store) -> {
				for (int account = 0; account < ACCOUNTS; account++) {
					String name = "w" + writer + "-" + account + "-" + round;
					store.append(World.ACME, this.world.storedStream(name), ExpectedVersion.exact(expected),
							NewEvent.of(new Deposited(name, expected + 1, expected + 1)));
				}
				return expected;
			});
			if (version % 20 == 0) {
				awaitFew(enough);
			}
		}
	}

	/** Writers that are faster than the projector would let its lag grow without end. */
	private void awaitFew(AtomicBoolean enough) {
		await().until(() -> enough.get() || this.world.count("""
				select (select count(*) from eventing.events) - (select count(*) from eventing.processed_events)
				     - (select count(*) from eventing.dead_letters)""") < 1000);
	}

	private void append(TenantId tenant, String account, long from, long to) {
		this.world.append(tenant, account, from, to);
	}

	private void carry(String subjects) {
		this.world.jetStream((management) -> management
			.updateStream(StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
				.subjects(this.world.root() + subjects)
				.build()));
	}

	private long head() {
		return this.world.count("select max(global_position) from eventing.events");
	}

	private void awaitPosition(long position) {
		await().until(() -> this.world
			.count("select coalesce(max(store_position), 0) from eventing.projector_positions") == position);
	}

	private static void awaitAnswer(AnnotationConfigApplicationContext application) {
		await().until(() -> run(application).answer() != null);
	}

	private static Answer answer(AnnotationConfigApplicationContext application) {
		ReconciliationResult result = run(application);
		assertThat(result.error()).isNull();
		Answer answer = result.answer();
		assertThat(answer).isNotNull();
		return answer;
	}

	private static ReconciliationResult run(AnnotationConfigApplicationContext application) {
		return application.getBean(Reconciliations.class).run("totals", "test");
	}

	@Projector("totals")
	static class Streamed extends ReconciliationSetup.Model {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 2, batchSize = 20,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, eventId);
		}

	}

	@Projector("totals")
	static class NewOnes extends ReconciliationSetup.Model {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", deliverPolicy = DeliverPolicy.NEW)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, eventId);
		}

	}

}
