package dev.eventing.soak.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.eventing.soak.Servers;
import dev.eventing.soak.node.Projected;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;

/**
 * The stream, or the durable of a projector, gets another server of the cluster as its
 * leader.
 */
final class LeaderFault implements Fault {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final String STREAM = "$JS.API.STREAM.LEADER.STEPDOWN." + Servers.STREAM;

	private static final String DURABLE = "$JS.API.CONSUMER.LEADER.STEPDOWN." + Servers.STREAM + ".";

	private final Servers servers;

	LeaderFault(Servers servers) {
		this.servers = servers;
	}

	@Override
	public void begin(Step step) throws Exception {
		String subject = step.one(subjects());
		Connection connection = Nats.connect(this.servers.nats().url());
		try {
			Message answer = connection.request(subject, new byte[0], PATIENCE);
			String text = (answer != null) ? new String(answer.getData(), StandardCharsets.UTF_8) : "no answer";
			if (!text.contains("\"success\":true")) {
				throw new IOException(subject + ": " + text);
			}
		}
		finally {
			connection.close();
		}
	}

	/** Half of the choices are the stream: it moves as often as all durables. */
	private static List<String> subjects() {
		List<String> durables = NatsFaults.STREAM_FED.stream()
			.map(Projected::projector)
			.map((projector) -> DURABLE + projector + "-consumer")
			.toList();
		List<String> subjects = new ArrayList<>(durables);
		Stream.generate(() -> STREAM).limit(durables.size()).forEach(subjects::add);
		return subjects;
	}

}
