package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.JdbcInlineProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.VersionConflictException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An inline projector. {@code world.append} appends on a node that does not know it;
 * {@link #append} on one that does.
 */
abstract class InlineSetup extends GenerationSetup {

	final InlineProjections inline = new JdbcInlineProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	final InlineLedger ledger = new InlineLedger(this.world.jdbc(), EventingSchema.defaults(),
			ProjectorId.of(Accounts.PROJECTOR));

	@Nullable InlineStatus inlineStatus() {
		return this.inline.find(Accounts.PROJECTOR).orElse(null);
	}

	void awaitStatus(InlineStatus status) {
		await().until(() -> inlineStatus() == status);
	}

	/** An application that is inline. */
	AnnotationConfigApplicationContext startInline(Object accounts) {
		AnnotationConfigApplicationContext application = start(accounts);
		awaitStatus(InlineStatus.INLINE);
		return application;
	}

	AnnotationConfigApplicationContext standby(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	/** Appends on a node that knows the projector, in one transaction. */
	void append(AnnotationConfigApplicationContext node, String account, long from, long to) {
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			for (long version = from; version <= to; version++) {
				append(store, account, version);
			}
			return true;
		});
	}

	void append(EventStore store, String account, long version) {
		store.append(World.ACME, this.world.storedStream(account), ExpectedVersion.exact(version - 1),
				NewEvent.of(new Deposited(account, version, version)));
	}

	static <T> @Nullable T in(AnnotationConfigApplicationContext node, int isolation, Function<EventStore, T> work) {
		TransactionTemplate transactions = new TransactionTemplate(node.getBean(PlatformTransactionManager.class));
		transactions.setIsolationLevel(isolation);
		return transactions.execute((status) -> work.apply(node.getBean(EventStore.class)));
	}

	/**
	 * Appends one to three events to one of a few streams, and seldom rolls back.
	 * @param node null for one that does not know the projector
	 */
	void appendAtRandom(@Nullable AnnotationConfigApplicationContext node, Random random, AtomicLong longest) {
		String account = "a" + random.nextInt(NAMES);
		int events = 1 + random.nextInt(3);
		boolean rollsBack = random.nextInt(8) == 0;
		long begun = System.nanoTime();
		try {
			if (node == null) {
				this.world.inTransaction((store) -> append(store, account, events, rollsBack));
			}
			else {
				in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> append(store, account, events, rollsBack));
			}
		}
		catch (VersionConflictException | Withdrawal ex) {
			// another writer was faster, or it was to roll back
		}
		long took = Duration.ofNanos(System.nanoTime() - begun).toMillis();
		longest.accumulateAndGet(took, Math::max);
	}

	private boolean append(EventStore store, String account, int events, boolean rollsBack) {
		long version = store.version(World.ACME, this.world.storedStream(account));
		for (int event = 1; event <= events; event++) {
			append(store, account, version + event);
		}
		if (rollsBack) {
			throw new Withdrawal();
		}
		return true;
	}

	/** Lets time pass between the appends of a writer. */
	static void pause(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		await().pollInterval(Duration.ofMillis(2)).until(() -> System.nanoTime() - end > 0);
	}

	/** Inserts an event as in psql. */
	String insertion(String account, long version) {
		return """
				insert into eventing.events
				  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				values (gen_random_uuid(), 'acme', '%1$s', %3$d, 'Deposited', now(),
				        '{"account": "%2$s", "version": %3$d, "amount": %3$d}', '{"source": "/psql"}')"""
			.formatted(this.world.storedStream(account), account, version);
	}

	long version(String account) {
		return this.world.version(World.ACME, account);
	}

	/**
	 * Every event of the store is in the read model, once and in the order of its stream.
	 */
	void assertThatTheReadModelHasAllEvents() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.jdbc()
			.queryForList(
					"""
							select s.stream_id, s.events, a.version, a.total
							  from (select stream_id, count(*) as events from eventing.events group by stream_id) s
							  left join account a on '%s-' || a.account = s.stream_id
							 where a.version is distinct from s.events or a.total is distinct from s.events * (s.events + 1) / 2"""
						.formatted(this.world.root())))
			.isEmpty();
	}

	/** Whether another session waits for the lock that transitions take. */
	boolean isWaitingForTheLock() {
		return this.world.count("select count(*) from pg_locks where locktype = 'advisory' and not granted") > 0;
	}

	/** A separate transaction. */
	Connection open() throws SQLException {
		Connection connection = this.world.jdbc().getDataSource().getConnection();
		connection.setAutoCommit(false);
		return connection;
	}

	/** Its handlers run in appends. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Inline extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3,
				maxDeliver = 1000, retryDelay = 50, retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	/** Rolls an append back. */
	private static final class Withdrawal extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
