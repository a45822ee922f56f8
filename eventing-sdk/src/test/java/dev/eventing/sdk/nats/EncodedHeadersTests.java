package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import dev.eventing.sdk.event.EventHeaders;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EncodedHeadersTests {

	@Test
	void areTheSameOnTheWireAsTheClientsOwn() {
		Headers own = new Headers().put("ce-id", "1", "", "a:b");
		EncodedHeaders encoded = EncodedHeaders
			.of(EventHeaders.builder().add("ce-id", "1").add("ce-id", "").add("ce-id", "a:b").build());
		assertThat(encoded.getSerialized()).isEqualTo(own.getSerialized());
		assertThat(encoded.serializedLength()).isEqualTo(own.serializedLength());
		byte[] target = new byte[encoded.serializedLength() + 3];
		assertThat(encoded.serializeToArray(3, target)).isEqualTo(own.serializedLength());
		assertThat(new String(target, 3, target.length - 3, StandardCharsets.US_ASCII))
			.isEqualTo("NATS/1.0\r\nce-id:1\r\nce-id:\r\nce-id:a:b\r\n\r\n");
	}

	@Test
	void areTakenByTheClientAsTheyAre() {
		EncodedHeaders encoded = EncodedHeaders.of(EventHeaders.builder().add("a", "1").build());
		NatsMessage message = NatsMessage.builder().subject("s").headers(encoded).build();
		assertThat(message.hasHeaders()).isTrue();
		assertThat(encoded.isReadOnly()).as("else the client makes a copy, which would be empty").isTrue();
		assertThat(EncodedHeaders.of(EventHeaders.empty()).isEmpty()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nb", "a\nb", "\u00e9" })
	void holdNothingThatCouldStartAnotherHeader(String text) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> EncodedHeaders.of(EventHeaders.builder().add("name", text).build()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> EncodedHeaders.of(EventHeaders.builder().add(text, "value").build()));
	}

}
