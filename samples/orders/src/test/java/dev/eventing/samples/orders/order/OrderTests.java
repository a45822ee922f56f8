package dev.eventing.samples.orders.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.PaymentAuthorized;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OrderTests {

	private static final Instant NOW = Instant.parse("2026-03-02T08:00:00Z");

	private final Order order = new Order(TenantId.of("acme"), "order-000001");

	@Test
	void goesFromCreationToShipment() {
		paid();
		ship();
		assertThat(this.order.events()).extracting(Event::type)
			.containsExactly("order.created", "order.item-added", "order.submitted", "order.payment-authorized",
					"order.shipped");
		assertThat(this.order.events()).extracting(Event::streamVersion).containsExactly(1L, 2L, 3L, 4L, 5L);
		OrderEvent payment = this.order.events().get(3).payload();
		assertThat(payment).isInstanceOfSatisfying(PaymentAuthorized.class,
				(authorized) -> assertThat(authorized.amount()).isEqualByComparingTo("9.00"));
	}

	@Test
	void tellsWhatCausedEachEvent() {
		submitted();
		Event<OrderEvent> first = this.order.events().get(0);
		Event<OrderEvent> second = this.order.events().get(1);
		assertThat(first.causationId()).isNull();
		assertThat(second.causationId()).isEqualTo(first.id().toString());
		assertThat(second.correlationId()).isEqualTo(first.correlationId()).isNotNull();
	}

	@Test
	void isNeitherFilledNorSubmittedBeforeItIsCreated() {
		assertRefused(this::addCups);
		assertRefused(() -> this.order.submit(NOW));
	}

	@Test
	void isNotPaidBeforeItIsSubmitted() {
		assertRefused(this::pay);
		created();
		assertRefused(this::pay);
	}

	@Test
	void isNotPaidTwice() {
		paid();
		assertRefused(this::pay);
	}

	@Test
	void isNotShippedBeforeItIsPaid() {
		submitted();
		assertRefused(this::ship);
	}

	@Test
	void isNotShippedTwice() {
		paid();
		ship();
		assertRefused(this::ship);
	}

	@Test
	void isNotSubmittedEmpty() {
		created();
		this.order.removeItem(NOW, "SKU-CUP", 2);
		assertRefused(() -> this.order.submit(NOW));
	}

	@Test
	void doesNotGiveBackMoreThanItHolds() {
		created();
		assertRefused(() -> this.order.removeItem(NOW, "SKU-CUP", 3));
		assertRefused(() -> this.order.removeItem(NOW, "SKU-SPOON", 1));
	}

	@Test
	void isCancelledUntilItIsShipped() {
		paid();
		this.order.cancel(NOW, "out of stock");
		assertRefused(this::ship);
		assertRefused(() -> this.order.cancel(NOW, "again"));
	}

	@Test
	void isNotCancelledOnceShipped() {
		paid();
		ship();
		assertRefused(() -> this.order.cancel(NOW, "too late"));
	}

	@Test
	void shipsWhatIsLeftOfIt() {
		created();
		this.order.removeItem(NOW, "SKU-CUP", 1);
		this.order.submit(NOW);
		pay();
		ship();
		OrderEvent last = this.order.events().get(this.order.events().size() - 1).payload();
		assertThat(last).isInstanceOfSatisfying(OrderShipped.class,
				(shipped) -> assertThat(shipped.lines()).singleElement()
					.satisfies((line) -> assertThat(line.quantity()).isEqualTo(1)));
	}

	/** Refused, and nothing happened. */
	private void assertRefused(ThrowingCallable change) {
		int before = this.order.events().size();
		assertThatIllegalStateException().isThrownBy(change).withMessageContaining("order-000001");
		assertThat(this.order.events()).hasSize(before);
	}

	private void created() {
		this.order.create(NOW, "customer-001", "EUR");
		addCups();
	}

	private void submitted() {
		created();
		this.order.submit(NOW);
	}

	private void paid() {
		submitted();
		pay();
	}

	private void addCups() {
		this.order.addItem(NOW, "SKU-CUP", 2, new BigDecimal("4.50"));
	}

	private void pay() {
		this.order.authorizePayment(NOW, "payment-1");
	}

	private void ship() {
		this.order.ship(NOW, "shipment-1", "Swift", LocalDate.of(2026, 3, 2));
	}

}
