package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

import dev.eventing.sdk.nats.PublishErrors.Reason;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every error with which nats-server 2.10 to 2.15 answers a publish, alone or in a batch.
 */
class PublishErrorsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			EVENT   | 400 | 10054 | message size exceeds maximum allowed
			EVENT   | 400 | 10097 | header size exceeds maximum allowed of 64k
			EVENT   | 503 | 10077 | message to large
			EVENT   | 503 | 10077 | message too large
			SERVER  | 503 | 10077 | write 1.blk: file too large
			EVENT   | 400 | 10060 | expected stream does not match
			EVENT   | 400 | 10070 | wrong last msg ID: x
			EVENT   | 400 | 10071 | wrong last sequence: 7
			EVENT   | 400 | 10164 | wrong last sequence
			EVENT   | 400 | 10193 | missing sequence for expected last sequence per subject
			EVENT   | 400 | 10165 | invalid per-message TTL
			EVENT   | 400 | 10166 | per-message TTL is disabled
			EVENT   | 400 | 10168 | message counters is disabled
			EVENT   | 400 | 10170 | message counter has payload
			EVENT   | 400 | 10171 | message counter increment is invalid
			EVENT   | 400 | 10188 | message schedules is disabled
			EVENT   | 400 | 10189 | message schedules pattern is invalid
			EVENT   | 400 | 10190 | message schedules target is invalid
			EVENT   | 400 | 10191 | message schedules invalid per-message TTL
			EVENT   | 400 | 10192 | message schedules invalid rollup
			EVENT   | 400 | 10203 | message schedules source is invalid
			EVENT   | 400 | 10212 | message schedules invalid scheduler
			EVENT   | 400 | 10223 | message schedules time zone is invalid
			EVENT   | 400 | 10227 | message stream source header is not allowed
			EVENT   | 412 | 10185 | JetStream minimum api level required
			EVENT   | 500 | 10111 | rollup not permitted
			EVENT   | 400 | 10174 | atomic publish is disabled
			EVENT   | 400 | 10175 | atomic publish sequence is missing
			EVENT   | 400 | 10176 | atomic publish batch is incomplete
			EVENT   | 400 | 10177 | atomic publish unsupported header used: x
			EVENT   | 400 | 10179 | atomic publish batch ID is invalid
			EVENT   | 400 | 10199 | atomic publish batch is too large: 1000
			EVENT   | 400 | 10200 | atomic publish batch commit is invalid
			EVENT   | 400 | 10201 | atomic publish batch contains duplicate message id
			SUBJECT | 503 | 10077 | maximum messages per subject exceeded
			STREAM  | 503 | 10077 | maximum messages exceeded
			STREAM  | 503 | 10077 | maximum bytes exceeded
			STREAM  | 400 | 10002 | resource limits exceeded for account
			STREAM  | 400 | 10120 | no JetStream default or applicable tiered limit present
			STREAM  | 503 | 10023 | insufficient resources
			STREAM  | 500 | 10028 | insufficient memory resources available
			STREAM  | 500 | 10047 | insufficient storage resources available
			STREAM  | 400 | 10109 | invalid operation on sealed stream
			STREAM  | 400 | 10169 | message counter increment is missing
			STREAM  | 400 | 10172 | message counter is broken
			SERVER  | 503 | 10077 | store is closed
			SERVER  | 503 | 10008 | JetStream system temporarily unavailable
			SERVER  | 500 | 10009 | JetStream cluster can not handle request
			SERVER  | 503 | 10039 | JetStream not enabled for account
			SERVER  | 503 | 10063 | expected stream sequence does not match
			SERVER  | 503 | 10076 | JetStream not enabled
			SERVER  | 500 | 10118 | stream is offline
			SERVER  | 409 | 10158 | duplicate message id is in process
			SERVER  | 503 | 10163 | expected last sequence per subject temporarily unavailable
			SERVER  | 429 | 10167 | too many requests
			SERVER  | 500 | 10194 | stream is offline: unsupported
			SERVER  | 429 | 10210 | atomic publish too many inflight
			EVENT   | 400 | 19999 | a code of a later server
			SERVER  | 500 | 19999 | a code of a later server
			""")
	void areClassified(Reason reason, int code, int apiCode, String description) {
		assertThat(PublishErrors.reason(error(code, apiCode, description))).isEqualTo(reason);
	}

	@Test
	void nameTheStreamThatTakesNoEvents() {
		JetStreamApiException full = error(400, 10002, "resource limits exceeded for account");
		assertThat(failure(new StreamAnswerException("ORDERS", full)))
			.isInstanceOfSatisfying(StreamNotTakingException.class, (ex) -> assertThat(ex.stream()).isEqualTo("ORDERS"))
			.hasMessage("The event is not stored by JetStream: resource limits exceeded for account [10002].");
		assertThat(failure(full)).isInstanceOfSatisfying(StreamNotTakingException.class,
				(ex) -> assertThat(ex.stream()).isNull());
	}

	@Test
	void quoteWhatTheServerDeniedOfThisSubject() {
		assertThat(PublishErrors.failure("The event", "orders.acme", new IllegalStateException(),
				"Permissions Violation for Publish to \"orders.acme\""))
			.hasMessageEndingWith("The server reported: Permissions Violation for Publish to \"orders.acme\".");
		assertThat(PublishErrors.failure("The event", "orders.acme", new IllegalStateException(),
				"Permissions Violation for Publish to \"orders.acme.x\""))
			.hasMessageEndingWith("Consider whether a stream carries that subject.");
	}

	private static RuntimeException failure(Exception cause) {
		return PublishErrors.failure("The event", "orders.acme", cause, null);
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
