package dev.eventing.sdk.nats;

import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeniedAcknowledgementsTests {

	private final DeniedAcknowledgements denied = new DeniedAcknowledgements();

	/** The second has a domain and an account, the third also what makes it unique. */
	@ParameterizedTest
	@ValueSource(strings = { "$JS.ACK.ORDERS.orders-consumer.1.7.8.1795730674440721048.0",
			"$JS.ACK.hub.Ae7.ORDERS.orders-consumer.1.7.8.1795730674440721048.0",
			"$JS.ACK.hub.Ae7.ORDERS.orders-consumer.1.7.8.1795730674440721048.0.42" })
	void knowsTheDurableOfASubject(String subject) {
		String error = "Permissions Violation for Publish to \"" + subject + "\"";
		assertThat(this.denied.record(error, error + " (now)")).isEqualTo("ORDERS.orders-consumer");
		assertThat(Objects.requireNonNull(this.denied.of("ORDERS", "orders-consumer")).words()).endsWith("(now)");
		assertThat(this.denied.of("ORDERS", "other")).isNull();
	}

	@Test
	void leavesOtherErrorsAsTheyAre() {
		String error = "Permissions Violation for Publish to \"$JS.API.CONSUMER.MSG.NEXT.ORDERS.orders-consumer\"";
		assertThat(this.denied.record(error, error)).isEqualTo(error);
		assertThat(this.denied.of("ORDERS", "orders-consumer")).isNull();
	}

}
