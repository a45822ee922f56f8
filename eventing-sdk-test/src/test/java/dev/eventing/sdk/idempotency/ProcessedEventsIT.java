package dev.eventing.sdk.idempotency;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class ProcessedEventsIT {

	private static final ProjectorId PROJECTOR = ProjectorId.of("orders");

	private static final TenantId ACME = TenantId.of("acme");

	private static final int ROUNDS = Integer.getInteger("eventing.test.claim-rounds", 200);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final ExecutorService threads = Executors.newFixedThreadPool(2);

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	private final JdbcTemplate observer = new JdbcTemplate(TestServers.postgres().dataSource(this.fixture.url()));

	private final PlatformTransactionManager transactions = new JdbcTransactionManager(this.fixture.dataSource());

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactions);

	private final ProcessedEvents processed = new ProcessedEvents(this.jdbc, EventingSchema.defaults(),
			new OpenLetters(EventingSchema.defaults()));

	@AfterEach
	void stopThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void returnsFreshEventsAndLeavesOutDuplicates() {
		EventKey known = event(ACME, 1);
		EventKey fresh = event(ACME, 2);
		assertThat(claim(known)).containsExactly(known);
		assertThat(claim(known, fresh)).containsExactly(fresh);
		assertThat(claim(known, fresh)).isEmpty();
		assertThat(rows()).isEqualTo(2);
	}

	@Test
	void countsARepeatedEventOnce() {
		EventKey event = event(ACME, 1);
		assertThat(claim(event, event)).containsExactly(event);
		assertThat(rows()).isEqualTo(1);
	}

	@Test
	void countsRepeatedEventsOnceAmongFreshAndKnownOnes() {
		EventKey known = event(ACME, 1);
		EventKey first = event(ACME, 2);
		EventKey second = event(ACME, 3);
		assertThat(claim(first, second, first, second)).containsExactlyInAnyOrder(first, second);
		EventKey third = event(ACME, 4);
		assertThat(claim(known)).containsExactly(known);
		assertThat(claim(third, known, third)).containsExactly(third);
		assertThat(rows()).isEqualTo(4);
	}

	@Test
	void returnsFreshEventsOfSeveralTenantsWithTheSameIds() {
		TenantId globex = TenantId.of("globex");
		TenantId looksLikeNull = TenantId.of("NULL");
		EventKey[] all = { event(ACME, 1), event(globex, 1), event(looksLikeNull, 1), event(ACME, 2),
				event(globex, 2) };
		assertThat(claim(event(globex, 1))).containsExactly(event(globex, 1));
		assertThat(claim(all)).containsExactlyInAnyOrder(event(ACME, 1), event(looksLikeNull, 1), event(ACME, 2),
				event(globex, 2));
		assertThat(claimFor(ProjectorId.of("invoices"), all)).containsExactlyInAnyOrder(all);
		assertThat(claimFor(ProjectorId.of("invoices"), all)).isEmpty();
	}

	@Test
	void findsTheEventsThatWereAppliedWithAnotherContent() {
		EventKey same = event(ACME, 1);
		EventKey other = event(ACME, 2);
		EventKey withoutDigest = event(ACME, 3);
		EventKey unknown = event(ACME, 4);
		this.transaction.executeWithoutResult((status) -> {
			this.processed.claim(PROJECTOR, Map.of(same, 1, other, -2));
			this.processed.claim(PROJECTOR, List.of(withoutDigest));
		});
		assertThat(this.processed.differing(PROJECTOR, Map.of(same, 1, other, 3, withoutDigest, 4, unknown, 5)))
			.containsExactly(other);
	}

	@Test
	void tellsTenantsAndProjectorsApart() {
		EventKey acme = event(ACME, 1);
		EventKey globex = event(TenantId.of("globex"), 1);
		assertThat(claim(acme)).containsExactly(acme);
		assertThat(claim(acme, globex)).containsExactly(globex);
		assertThat(claimFor(ProjectorId.of("invoices"), acme)).containsExactly(acme);
	}

	@Test
	void leavesOutEventsWithAnOpenDeadLetter() {
		EventKey parked = event(ACME, 1);
		EventKey redriving = event(ACME, 2);
		EventKey sameIdOfAnotherTenant = event(TenantId.of("globex"), 1);
		EventKey deadForAnotherProjector = event(ACME, 3);
		EventKey resolved = event(ACME, 4);
		EventKey duplicate = event(ACME, 5);
		EventKey fresh = event(ACME, 6);
		deadLetter(PROJECTOR, parked, "PARKED");
		deadLetter(PROJECTOR, redriving, "REDRIVING");
		deadLetter(ProjectorId.of("invoices"), deadForAnotherProjector, "PARKED");
		deadLetter(PROJECTOR, resolved, "RESOLVED");
		claim(duplicate);
		assertThat(claim(parked, redriving, sameIdOfAnotherTenant, deadForAnotherProjector, resolved, duplicate, fresh))
			.containsExactlyInAnyOrder(sameIdOfAnotherTenant, deadForAnotherProjector, resolved, fresh);
		assertThat(rows()).as("dead events are not marked as applied").isEqualTo(5);
	}

	@Test
	void forgetsTheClaimWhenTheTransactionRollsBack() {
		EventKey event = event(ACME, 1);
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			this.processed.claim(PROJECTOR, List.of(event));
			throw new IllegalStateException("handler failed");
		}));
		assertThat(rows()).isZero();
		assertThat(claim(event)).containsExactly(event);
	}

	@Test
	void claimsNothingWithoutEvents() {
		assertThat(claim()).isEmpty();
	}

	@Test
	void refusesToClaimWithoutATransaction() {
		assertThatExceptionOfType(WrongTransactionException.class)
			.isThrownBy(() -> this.processed.claim(PROJECTOR, List.of(event(ACME, 1))))
			.withMessageContaining("Projector 'orders' claims events outside a transaction: none is active");
		assertThat(rows()).isZero();
	}

	@Test
	void refusesToClaimInATransactionOfAnotherDataSource() {
		DataSource otherDatabase = TestServers.postgres().dataSource(this.fixture.emptyDatabase());
		TransactionTemplate other = new TransactionTemplate(new JdbcTransactionManager(otherDatabase));
		assertThatExceptionOfType(WrongTransactionException.class).isThrownBy(
				() -> other.executeWithoutResult((status) -> this.processed.claim(PROJECTOR, List.of(event(ACME, 1)))))
			.withMessageContaining("another DataSource");
		assertThat(rows()).isZero();
	}

	@Nested
	class WhenAnotherTransactionHoldsTheEvent {

		@Test
		void waitsAndSeesADuplicateAfterItsCommit() throws Exception {
			assertThat(claimWhileHeld(false)).isEmpty();
		}

		@Test
		void waitsAndSeesAFreshEventAfterItsRollback() throws Exception {
			assertThat(claimWhileHeld(true)).containsExactly(event(ACME, 1));
			assertThat(rows()).isEqualTo(1);
		}

		private Set<EventKey> claimWhileHeld(boolean rollBack) throws Exception {
			PlatformTransactionManager manager = ProcessedEventsIT.this.transactions;
			TransactionStatus holder = manager.getTransaction(TransactionDefinition.withDefaults());
			try {
				assertThat(ProcessedEventsIT.this.processed.claim(PROJECTOR, List.of(event(ACME, 1)))).hasSize(1);
				Future<Set<EventKey>> second = ProcessedEventsIT.this.threads.submit(() -> claim(event(ACME, 1)));
				awaitAClaimThatWaits();
				if (rollBack) {
					manager.rollback(holder);
				}
				else {
					manager.commit(holder);
				}
				return second.get(60, TimeUnit.SECONDS);
			}
			finally {
				if (!holder.isCompleted()) {
					manager.rollback(holder);
				}
			}
		}

		// On its own connection: within a transaction pg_stat_activity stands still.
		private void awaitAClaimThatWaits() {
			await().untilAsserted(() -> assertThat(ProcessedEventsIT.this.observer.queryForObject("""
					select count(*) from pg_stat_activity
					 where datname = current_database() and wait_event_type = 'Lock'
					   and query like '%processed_events%'
					""", Integer.class)).isEqualTo(1));
		}

	}

	@Test
	void neverDeadlocksWhenTwoClaimTheSameEventsInAnotherOrder() throws Exception {
		Random random = new Random(42);
		CyclicBarrier start = new CyclicBarrier(2);
		for (int round = 0; round < ROUNDS; round++) {
			List<EventKey> events = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				events.add(new EventKey(ACME, new UUID(random.nextLong(), random.nextLong())));
			}
			Future<Set<EventKey>> one = this.threads.submit(together(start, shuffled(events, random)));
			Future<Set<EventKey>> other = this.threads.submit(together(start, shuffled(events, random)));
			assertThat(one.get(60, TimeUnit.SECONDS).size() + other.get(60, TimeUnit.SECONDS).size())
				.as("events claimed in round %d", round)
				.isEqualTo(events.size());
		}
	}

	private Callable<Set<EventKey>> together(CyclicBarrier start, List<EventKey> events) {
		return () -> {
			start.await(60, TimeUnit.SECONDS);
			return claim(events.toArray(EventKey[]::new));
		};
	}

	private Set<EventKey> claim(EventKey... events) {
		return claimFor(PROJECTOR, events);
	}

	private Set<EventKey> claimFor(ProjectorId projector, EventKey... events) {
		return Objects
			.requireNonNull(this.transaction.execute((status) -> this.processed.claim(projector, List.of(events))));
	}

	private void deadLetter(ProjectorId projector, EventKey event, String status) {
		this.jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers,
				    payload, stream, stream_sequence, published_at, reason, attempts, first_failed_at, status)
				values (gen_random_uuid(), ?, ?, ?, 's', '{}', '', 'ORDERS', 1, now(), 'NOT_RETRYABLE', 1, now(), ?)
				""", projector.inColumn(), event.tenantId().value(), event.eventId(), status);
	}

	private int rows() {
		return Objects
			.requireNonNull(this.jdbc.queryForObject("select count(*) from eventing.processed_events", Integer.class));
	}

	private static EventKey event(TenantId tenant, int number) {
		return new EventKey(tenant, new UUID(0, number));
	}

	private static List<EventKey> shuffled(List<EventKey> events, Random random) {
		List<EventKey> copy = new ArrayList<>(events);
		Collections.shuffle(copy, random);
		return copy;
	}

}
