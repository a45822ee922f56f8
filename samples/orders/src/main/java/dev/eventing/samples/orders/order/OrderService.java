package dev.eventing.samples.orders.order;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.Loaded;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.VersionConflictException;

import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes commands. Each is decided on the order as it is, and what comes of it is appended
 * only if the order is still the same; else somebody else was faster, and it is decided
 * again.
 */
@Component
public class OrderService {

	private static final PayloadTypes<OrderEvent> TYPES = PayloadTypes.ofSealed(OrderEvent.class);

	/** A snapshot this often saves reading all that ever happened to an order. */
	private static final int EVENTS_PER_SNAPSHOT = 5;

	private static final RetryPolicy RETRIES = RetryPolicy.builder()
		.includes(VersionConflictException.class)
		.maxRetries(50)
		.delay(Duration.ofMillis(2))
		.jitter(Duration.ofMillis(2))
		.multiplier(1.5)
		.maxDelay(Duration.ofMillis(100))
		.build();

	private final EventStore store;

	private final TransactionTemplate transaction;

	private final RetryTemplate retries = new RetryTemplate(RETRIES);

	private final LongAdder conflicts = new LongAdder();

	OrderService(EventStore store, PlatformTransactionManager transactionManager) {
		this.store = store;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Does what a command asks for.
	 * @return where the event is that came of it
	 * @throws OrderRefusedException if the rules of the order forbid it
	 */
	public AppendResult handle(TenantId tenantId, String orderId, OrderCommand command) {
		return new EventContext(tenantId + "/" + orderId, null, command.actor())
			.call(() -> untilNobodyIsFaster(() -> decide(tenantId, orderId, command)));
	}

	private AppendResult untilNobodyIsFaster(Supplier<AppendResult> decision) {
		try {
			return Objects
				.requireNonNull(this.retries.execute(() -> this.transaction.execute((status) -> decision.get())));
		}
		catch (RetryException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

	private AppendResult decide(TenantId tenantId, String orderId, OrderCommand command) {
		Loaded<Order> order = this.store.load(tenantId, orderId, fold(orderId));
		OrderEvent event = command.decision().on(order.state());
		try {
			return this.store.append(tenantId, orderId, order, NewEvent.of(event).withOccurredAt(command.at()));
		}
		catch (VersionConflictException ex) {
			this.conflicts.increment();
			throw ex;
		}
	}

	/** How the events of an order become the order. */
	static Fold<Order> fold(String orderId) {
		return Fold.of(Order.class, Order.unheardOf(orderId), TYPES, Order::apply)
			.withSnapshotEvery(EVENTS_PER_SNAPSHOT);
	}

	/** How often another writer was faster, so that a command was decided again. */
	public long conflicts() {
		return this.conflicts.sum();
	}

}
