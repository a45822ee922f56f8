package dev.eventing.samples.orders.order;

import java.math.BigDecimal;
import java.time.LocalDate;

import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.PaymentAuthorized;
import dev.eventing.samples.orders.order.OrderCommand.Decision;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventTypes;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OrderTests {

	private static final Decision ADD_CUPS = (order) -> order.addItem("SKU-CUP", 2, new BigDecimal("4.50"));

	private static final Decision PAY = (order) -> order.authorizePayment("payment-1");

	private static final Decision SHIP = (order) -> order.ship("shipment-1", "Swift", LocalDate.of(2026, 3, 2));

	private final Folded order = new Folded("order-000001");

	@Test
	void goesFromCreationToShipment() {
		paid();
		this.order.happen(SHIP);
		assertThat(this.order.events()).extracting((event) -> EventTypes.nameOf(event.getClass()))
			.containsExactly("order.created", "order.item-added", "order.submitted", "order.payment-authorized",
					"order.shipped");
		assertThat(this.order.events().get(3)).isInstanceOfSatisfying(PaymentAuthorized.class,
				(authorized) -> assertThat(authorized.amount()).isEqualByComparingTo("9.00"));
	}

	@Test
	void isNeitherFilledNorSubmittedBeforeItIsCreated() {
		assertRefused(ADD_CUPS);
		assertRefused(Order::submit);
	}

	@Test
	void isNotCreatedTwice() {
		created();
		assertRefused((order) -> order.create("customer-002", "EUR"));
	}

	@Test
	void isNotPaidBeforeItIsSubmitted() {
		assertRefused(PAY);
		created();
		assertRefused(PAY);
	}

	@Test
	void isNotPaidTwice() {
		paid();
		assertRefused(PAY);
	}

	@Test
	void isNotShippedBeforeItIsPaid() {
		submitted();
		assertRefused(SHIP);
	}

	@Test
	void isNotShippedTwice() {
		paid();
		this.order.happen(SHIP);
		assertRefused(SHIP);
	}

	@Test
	void isNotSubmittedEmpty() {
		created();
		this.order.happen((order) -> order.removeItem("SKU-CUP", 2));
		assertRefused(Order::submit);
	}

	@Test
	void doesNotGiveBackMoreThanItHolds() {
		created();
		assertRefused((order) -> order.removeItem("SKU-CUP", 3));
		assertRefused((order) -> order.removeItem("SKU-SPOON", 1));
	}

	@Test
	void isCancelledUntilItIsShipped() {
		paid();
		this.order.happen((order) -> order.cancel("out of stock"));
		assertRefused(SHIP);
		assertRefused((order) -> order.cancel("again"));
	}

	@Test
	void isNotCancelledOnceShipped() {
		paid();
		this.order.happen(SHIP);
		assertRefused((order) -> order.cancel("too late"));
	}

	@Test
	void shipsWhatIsLeftOfIt() {
		created();
		this.order.happen((order) -> order.removeItem("SKU-CUP", 1));
		this.order.happen(Order::submit);
		this.order.happen(PAY);
		this.order.happen(SHIP);
		assertThat(this.order.last()).isInstanceOfSatisfying(OrderShipped.class,
				(shipped) -> assertThat(shipped.lines()).singleElement()
					.satisfies((line) -> assertThat(line.quantity()).isEqualTo(1)));
	}

	@Test
	void keepsThePriceOfWhatItHolds() {
		created();
		this.order.happen((order) -> order.addItem("SKU-CUP", 1, new BigDecimal("5.00")));
		assertThat(this.order.order().lines().values()).singleElement()
			.satisfies((line) -> assertThat(line.amount()).isEqualByComparingTo("13.50"));
	}

	@Test
	void survivesBeingASnapshot() {
		paid();
		JsonMapper json = EventJson.mapper();
		Order restored = json.readValue(json.writeValueAsBytes(this.order.order()), Order.class);
		assertThat(restored).isEqualTo(this.order.order());
		assertThat(SHIP.on(restored)).isEqualTo(SHIP.on(this.order.order()));
	}

	private void assertRefused(Decision decision) {
		assertThatExceptionOfType(OrderRefusedException.class).isThrownBy(() -> this.order.happen(decision))
			.withMessageContaining("order-000001");
	}

	private void created() {
		this.order.happen((order) -> order.create("customer-001", "EUR"));
		this.order.happen(ADD_CUPS);
	}

	private void submitted() {
		created();
		this.order.happen(Order::submit);
	}

	private void paid() {
		submitted();
		this.order.happen(PAY);
	}

}
