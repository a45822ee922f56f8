package dev.eventing.sdk.nats;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DeliveryMetadataTests {

	private static final DeliveryMetadata EXPECTED = new DeliveryMetadata(2, 4711, 815,
			Instant.parse("2026-01-31T12:00:00.123456789Z"), 42);

	@Test
	void readsWhatServersWriteToday() {
		assertThat(DeliveryMetadata.of("$JS.ACK.ORDERS.orders-consumer.2.4711.815.1769860800123456789.42"))
			.isEqualTo(EXPECTED);
	}

	@Test
	void readsTheFormWithDomainAndAccount() {
		assertThat(DeliveryMetadata.of("$JS.ACK.hub.ACCHASH.ORDERS.orders-consumer.2.4711.815.1769860800123456789.42"))
			.isEqualTo(EXPECTED);
	}

	@Test
	void readsTheFormWithFurtherTokens() {
		assertThat(DeliveryMetadata
			.of("$JS.ACK._.ACCHASH.ORDERS.orders-consumer.2.4711.815.1769860800123456789.42.random.more"))
			.isEqualTo(EXPECTED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "$JS.ACK.ORDERS.orders-consumer.2.4711.815.1769860800123456789",
			"_INBOX.ORDERS.orders-consumer.2.4711.815.1769860800123456789.42.1",
			"$JS.ACK.ORDERS.orders-consumer.2.4711.815.1769860800123456789.42.x",
			"$JS.ACK.ORDERS.orders-consumer.2.x.815.1769860800123456789.42",
			"$JS.ACK.ORDERS.orders-consumer.2..815.1769860800123456789.42" })
	void refusesOtherSubjects(String subject) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> DeliveryMetadata.of(subject));
	}

}
