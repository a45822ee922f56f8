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
		String read = new String(subject.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		assertThat(Packed.subject(read)).isEqualTo(subject);
	}

	/** From a publisher with another encoding. */
	@Test
	void keepsASubjectThatIsNotUtf8() {
		assertThat(Packed.subject("orders.acme.er\u00f6ffnet")).isEqualTo("orders.acme.er\u00f6ffnet");
	}

}
