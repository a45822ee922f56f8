package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.nats.client.api.ConsumerInfo;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DurableStateTests {

	/** The answer of a member of the cluster before it has read the state. */
	private static final String ZEROS = "{\"stream_name\":\"ORDERS\",\"name\":\"orders-consumer\","
			+ "\"created\":\"2026-01-01T00:00:00Z\",\"config\":{\"durable_name\":\"orders-consumer\",\"num_replicas\":%d},"
			+ "\"delivered\":{\"consumer_seq\":0,\"stream_seq\":0},\"ack_floor\":{\"consumer_seq\":0,\"stream_seq\":0},"
			+ "\"num_ack_pending\":0,\"num_redelivered\":0,\"num_waiting\":0,\"num_pending\":0%s}";

	@Test
	void believesNothingOfADurableWithReplicasThatItsLeaderDoesNotSay() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> DurableState.requireLeader(info(0, ""), 3))
			.withMessageContaining("'orders-consumer'");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> DurableState.requireLeader(info(3, ""), 3));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> DurableState.requireLeader(info(0, ",\"cluster\":{\"name\":\"c\"}"), 3));
	}

	@Test
	void believesTheLeaderAndServersThatAreAlone() {
		assertThatCode(() -> DurableState.requireLeader(info(0, ",\"cluster\":{\"name\":\"c\",\"leader\":\"n1\"}"), 3))
			.doesNotThrowAnyException();
		assertThatCode(() -> DurableState.requireLeader(info(0, ""), 1)).doesNotThrowAnyException();
		assertThatCode(() -> DurableState.requireLeader(info(1, ""), 3)).doesNotThrowAnyException();
	}

	private static ConsumerInfo info(int replicas, String cluster) {
		String answer = ZEROS.formatted(replicas, cluster);
		return new ConsumerInfo(
				NatsMessage.builder().subject("answer").data(answer.getBytes(StandardCharsets.UTF_8)).build());
	}

}
