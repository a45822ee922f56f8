package dev.eventing.benchmark.peers.axon;

import java.util.ArrayList;
import java.util.List;

import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.PostgresEventTableFactory;
import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.Serializer;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;

/** Axon's event store: the account is the aggregate, its changes the sequence. */
final class AxonEventStore {

	private static final String AGGREGATE = "Account";

	private static final int PER_TRANSACTION = 1000;

	private final JdbcEventStorageEngine engine;

	private final TransactionManager transactions;

	AxonEventStore(ConnectionProvider connections, TransactionManager transactions, Serializer serializer,
			int eventsPerRead) {
		this.transactions = transactions;
		this.engine = JdbcEventStorageEngine.builder()
			.connectionProvider(connections)
			.transactionManager(transactions)
			.eventSerializer(serializer)
			.snapshotSerializer(serializer)
			.batchSize(eventsPerRead)
			.build();
	}

	JdbcEventStorageEngine engine() {
		return this.engine;
	}

	void create() {
		this.engine.createSchema(PostgresEventTableFactory.INSTANCE);
	}

	/**
	 * Appends from one thread, so that there are no gaps for the reader to look after.
	 */
	void fill(AccountChanges changes) {
		List<DomainEventMessage<?>> page = new ArrayList<>(PER_TRANSACTION);
		for (AccountChange change : changes) {
			page.add(message(change));
			if (page.size() == PER_TRANSACTION) {
				append(page);
				page.clear();
			}
		}
		append(page);
	}

	private void append(List<DomainEventMessage<?>> page) {
		this.transactions.executeInTransaction(() -> this.engine.appendEvents(page));
	}

	private static DomainEventMessage<?> message(AccountChange change) {
		return new GenericDomainEventMessage<>(AGGREGATE, change.streamId(), change.version() - 1, change.payload(),
				MetaData.with("tenant", AccountChange.TENANT), change.id().toString(), change.payload().bookedAt());
	}

}
