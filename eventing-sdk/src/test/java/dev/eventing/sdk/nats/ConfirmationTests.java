package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConfirmationTests {

	@Test
	void readsWhatServersWrite() {
		assertThat(read("{\"stream\":\"ORDERS\",\"seq\":4711}")).isEqualTo(new Published("ORDERS", 4711, false));
		assertThat(read("{\"stream\":\"ORDERS\",\"seq\":1,\"duplicate\": true}"))
			.isEqualTo(new Published("ORDERS", 1, true));
		assertThat(read("{\"stream\":\"ORDERS\",\"seq\":1,\"duplicate\":true}"))
			.isEqualTo(new Published("ORDERS", 1, true));
		assertThat(read("{\"stream\":\"ORDERS\", \"seq\":4711}")).isEqualTo(new Published("ORDERS", 4711, false));
		assertThat(read("{\"stream\":\"ORDERS\", \"seq\":1,\"duplicate\": true}"))
			.isEqualTo(new Published("ORDERS", 1, true));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "{\"stream\":\"ORDERS", "{\"stream\":\"ORDERS\", \"seq\":",
			"{\"stream\":\"ORDERS\", \"seq\":1", "{\"stream\":\"ORDERS\", \"seq\":}",
			"{\"stream\":\"ORDERS\", \"seq\":1,\"domain\":\"hub\"}", "{\"stream\":\"a\\\"b\", \"seq\":1}",
			"{\"stream\":\"ORDERS\", \"seq\":9999999999999999999}", "{\"stream\":\"ORDERS\", \"seq\":1} ",
			"{\"error\":{\"code\":503,\"description\":\"x\"},\"stream\":\"ORDERS\",\"seq\":0}" })
	void leavesAllElseToTheClient(String answer) {
		assertThat(read(answer)).isNull();
	}

	private static @Nullable Published read(String json) {
		return Confirmation.read(json.getBytes(StandardCharsets.UTF_8));
	}

}
