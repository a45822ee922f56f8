package dev.eventing.sdk.projector.inline;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InlineTypesTests {

	@Test
	void knowsTheTypesOfEachSubject() {
		InlineTypes types = InlineTypes.parse("orders.*.placed OrderPlaced\norders.*.placed Order Paid");
		assertThat(types.has("orders.acme.placed", "OrderPlaced")).isTrue();
		assertThat(types.has("orders.acme.placed", "Order Paid")).isTrue();
		assertThat(types.has("orders.acme.placed", "OrderSent")).isFalse();
		assertThat(types.has("orders.acme.sent", "OrderPlaced")).isFalse();
	}

	@Test
	void knowsHandlersOfAllTypes() {
		InlineTypes types = InlineTypes.parse("orders.> *");
		assertThat(types.has("orders.acme.placed", "OrderPlaced")).isTrue();
		assertThat(types.has("users.acme.placed", "OrderPlaced")).isFalse();
	}

	@Test
	void hasNothingBeforeAProjectorTurnedForTheFirstTime() {
		assertThat(InlineTypes.parse("").has("orders.acme.placed", "OrderPlaced")).isFalse();
	}

}
