package dev.eventing.benchmark.sdk;

import java.util.List;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Appends in a transaction, as an application does. Thread-safe. */
final class Appender {

	private static final TenantId TENANT = TenantId.of(AccountChange.TENANT);

	private final EventStore store;

	private final TransactionTemplate transaction;

	Appender(ApplicationContext context) {
		this.store = context.getBean(EventStore.class);
		this.transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
	}

	/** Returns when the events are committed. */
	void append(String streamId, List<NewEvent> events) {
		this.transaction
			.executeWithoutResult((status) -> this.store.append(TENANT, streamId, ExpectedVersion.any(), events));
	}

	/** The same, with more work in the transaction after the append. */
	void append(String streamId, List<NewEvent> events, Runnable then) {
		this.transaction.executeWithoutResult((status) -> {
			this.store.append(TENANT, streamId, ExpectedVersion.any(), events);
			then.run();
		});
	}

}
