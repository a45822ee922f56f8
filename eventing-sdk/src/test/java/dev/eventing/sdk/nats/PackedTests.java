package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PackedTests {

	@ParameterizedTest
	@ValueSource(strings = { "orders.acme.opened", "orders.acme.er\u00f6ffnet", "orders.acme.\u00c3\u00b6",
			"orders.acme.\u6ce8\u6587", "orders.acme.\uD83D\uDE00" })
	void readsSubjectsAsUtf8AsFiltersDo(String subject) {
		byte[] bytes = subject.getBytes(StandardCharsets.UTF_8);
		assertThat(Packed.subject(new String(bytes, StandardCharsets.ISO_8859_1))).isEqualTo(subject);
		assertThat(Packed.subject(cast(bytes))).as("as jnats reads it").isEqualTo(subject);
	}

	/** From a publisher with another encoding. */
	@Test
	void keepsASubjectThatIsNotUtf8() {
		String subject = "orders.acme.er\u00f6ffnet";
		assertThat(Packed.subject(subject)).isEqualTo(subject);
		assertThat(Packed.subject(cast(subject.getBytes(StandardCharsets.ISO_8859_1)))).isEqualTo(subject);
	}

	/** Each byte as a character, with its sign. */
	private static String cast(byte[] bytes) {
		StringBuilder read = new StringBuilder();
		for (byte each : bytes) {
			read.append((char) each);
		}
		return read.toString();
	}

}
