package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class JetStreamErrorsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			503 | 10008 | JetStream system temporarily unavailable
			409 | 10158 | duplicate message id is in process
			500 | 10007 | JetStream cluster not assigned to this server
			500 | 10009 | JetStream cluster can not handle request
			500 | 10118 | stream is offline
			500 | 10119 | consumer is offline
			500 | 10194 | stream is offline: unsupported - required API level: 4, current API level: 3
			500 | 10195 | consumer is offline: unsupported - required API level: 4, current API level: 3
			400 | 10005 | no suitable peers for placement, peer offline
			""")
	void waitsForAClusterThatIsDisturbed(int code, int apiCode, String description) {
		JetStreamApiException error = error(code, apiCode, description);
		assertThat(JetStreamErrors.isTransient(error)).isTrue();
		assertThat(JetStreamErrors.translate("Stream 'ORDERS' cannot be looked up", error))
			.isInstanceOf(NatsUnavailableException.class)
			.hasMessage("Stream 'ORDERS' cannot be looked up: JetStream cannot do this now: " + description + " ["
					+ apiCode + "].");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			400 | 10005 | no suitable peers for placement, tags not matched ['ssd']
			400 | 10005 | no suitable peers for placement, insufficient storage
			500 | 10006 | JetStream not in clustered mode
			500 | 10012 | deliver policy can not be updated
			500 | 10028 | insufficient memory resources available
			404 | 10059 | stream not found
			""")
	void leavesTheRestToTheOperator(int code, int apiCode, String description) {
		assertThat(JetStreamErrors.translate("Stream 'ORDERS' cannot be looked up", error(code, apiCode, description)))
			.isInstanceOf(JetStreamConfigurationException.class)
			.hasMessageContaining(description);
	}

	@Test
	void waitsForAServerThatDoesNotAnswer() {
		assertThat(JetStreamErrors.translate("Stream 'ORDERS' cannot be looked up", new IOException("timed out")))
			.isInstanceOf(NatsUnavailableException.class)
			.hasMessage("Stream 'ORDERS' cannot be looked up: JetStream does not answer.");
	}

	/** As the client makes it from an answer of the server. */
	private static JetStreamApiException error(int code, int apiCode, String description) {
		String answer = "{\"error\":{\"code\":%d,\"err_code\":%d,\"description\":\"%s\"}}".formatted(code, apiCode,
				description);
		ConsumerInfo read = new ConsumerInfo(
				NatsMessage.builder().subject("answer").data(answer.getBytes(StandardCharsets.UTF_8)).build());
		return new JetStreamApiException(Objects.requireNonNull(read.getErrorObject()));
	}

}
