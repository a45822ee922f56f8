package dev.eventing.sdk.schema;

import dev.eventing.sdk.EventingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventingSchemaTests {

	@Test
	void qualifiesAndQuotesTables() {
		assertThat(EventingSchema.defaults().table("processed_events")).isEqualTo("\"eventing\".\"processed_events\"");
		assertThat(new EventingSchema("_b2").table("t")).isEqualTo("\"_b2\".\"t\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Eventing", "2nd", "a b", "a\"b", "a.b", "a;", "a\n",
			"a234567890123456789012345678901234567890123456789012345678901234" })
	void refusesWhatIsNoPlainIdentifier(String name) {
		assertThatExceptionOfType(EventingException.class).isThrownBy(() -> new EventingSchema(name))
			.withMessageStartingWith("'" + name + "' cannot name a schema");
		assertThatExceptionOfType(EventingException.class).isThrownBy(() -> EventingSchema.defaults().table(name))
			.withMessageStartingWith("'" + name + "' cannot name a table");
	}

	@Test
	void takesTheLongestNamePostgresqlKeeps() {
		String longest = "a".repeat(63);
		assertThat(new EventingSchema(longest).table("t")).isEqualTo("\"" + longest + "\".\"t\"");
	}

}
