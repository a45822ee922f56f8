package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The guide to the event store, at work. */
class EventStoreGuideIT {

	private final List<String> shown = new ArrayList<>();

	@AutoClose
	private final StoreWorld world = StoreWorld.shared();

	private final EventStore store = this.world.store();

	private final TransactionTemplate transaction = this.world.transaction();

	@Test
	void anOrderIsPlacedAndPaidOnce() {
		this.transaction.executeWithoutResult((status) -> place(ACME, "4711", 990));
		payWithRetry(ACME, "4711");
		assertThatIllegalStateException().isThrownBy(() -> payWithRetry(ACME, "4711"));
		assertThat(this.store.load(ACME, "order-4711", Order.FOLD).state()).isEqualTo(new Order(990, true));
	}

	@Test
	void anEventIsCausedByAnother() {
		this.transaction.executeWithoutResult((status) -> place(ACME, "4711", 990));
		Event<?> placed = this.store.readStream(ACME, "order-4711").findFirst().orElseThrow().event();
		try (EventContext.Scope scope = EventContext.causedBy(placed).open()) {
			assertThat(scope).isNotNull();
			payWithRetry(ACME, "4711");
		}
		Event<?> paid = this.store.readStream(ACME, "order-4711", 2, 2).findFirst().orElseThrow().event();
		assertThat(paid.causationId()).isEqualTo(placed.id().toString());
	}

	@Test
	void theLogIsFollowed() throws InterruptedException {
		this.transaction.executeWithoutResult((status) -> place(ACME, "4711", 990));
		payWithRetry(ACME, "4711");
		LogReader reader = this.world.log().reader(0);
		follow(reader, this.world.signal());
		follow(reader, this.world.signal());
		assertThat(this.shown).containsExactly("order.placed", "order.paid");
	}

	void place(TenantId tenant, String orderId, long amount) {
		this.store.append(tenant, "order-" + orderId, ExpectedVersion.noStream(),
				NewEvent.of(new OrderEvent.Placed(amount)));
	}

	void pay(TenantId tenant, String orderId) {
		String stream = "order-" + orderId;
		Loaded<Order> order = this.store.load(tenant, stream, Order.FOLD);
		if (order.version() == 0 || order.state().paid()) {
			throw new IllegalStateException("There is nothing to pay");
		}
		this.store.append(tenant, stream, order, NewEvent.of(new OrderEvent.Paid()));
	}

	void payWithRetry(TenantId tenant, String orderId) {
		for (int attempt = 1;; attempt++) {
			try {
				this.transaction.executeWithoutResult((status) -> pay(tenant, orderId));
				return;
			}
			catch (VersionConflictException ex) {
				if (attempt == 5) {
					throw ex;
				}
			}
		}
	}

	void follow(LogReader reader, AppendSignal signal) throws InterruptedException {
		long seen = signal.count();
		List<StoredEvent> events = reader.next(100);
		events.forEach((stored) -> this.shown.add(stored.event().type()));
		if (events.isEmpty()) {
			signal.await(seen, Duration.ofMillis(50));
		}
	}

	sealed interface OrderEvent {

		@EventType("order.placed")
		record Placed(long amount) implements OrderEvent {
		}

		@EventType("order.paid")
		record Paid() implements OrderEvent {
		}

	}

	record Order(long amount, boolean paid) {

		static final Fold<Order> FOLD = Fold
			.of(Order.class, new Order(0, false), PayloadTypes.ofSealed(OrderEvent.class), Order::after)
			.named("order")
			.withVersion(1)
			.withSnapshotEvery(100);

		Order after(OrderEvent event) {
			if (event instanceof OrderEvent.Placed placed) {
				return new Order(placed.amount(), false);
			}
			return new Order(this.amount, true);
		}

	}

}
