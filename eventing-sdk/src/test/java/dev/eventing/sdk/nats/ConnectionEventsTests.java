package dev.eventing.sdk.nats;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The log of errors that a server reports again and again. */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionEventsTests {

	private final ConnectionEvents events = new ConnectionEvents(List.of("nats://ada:wonderland@localhost:4222"),
			() -> false);

	private final Connection connection = (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
			new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException(method.getName());
			});

	/** Each acknowledgement has its own subject. */
	@Test
	void logsEachKindOnceWhileTheConnectionStands(CapturedOutput output) {
		for (int sequence = 1; sequence <= 3; sequence++) {
			deniedAcknowledgement("orders", sequence);
			deniedAcknowledgement("bills", sequence);
			report("Slow consumer at ada:wonderland@localhost");
		}
		assertThat(reports(output)).hasSize(3);
		this.events.connectionEvent(this.connection, Events.RECONNECTED);
		deniedAcknowledgement("orders", 4);
		deniedAcknowledgement("orders", 5);
		assertThat(reports(output)).hasSize(4);
		assertThat(output).doesNotContain("wonderland");
	}

	/** So that what it has logged does not grow without end. */
	@Test
	void logsKindsAgainAfterAHundredOthers(CapturedOutput output) {
		for (int kind = 0; kind < 99; kind++) {
			report("Error " + kind);
			report("Error " + kind);
		}
		report("Error 99");
		assertThat(reports(output)).hasSize(100);
		report("Error 0");
		report("Error 0");
		assertThat(reports(output)).hasSize(101);
	}

	@Test
	void passesOnTheSubjectsOfDeniedPublishesWithTheServersWords() {
		List<String> denied = new ArrayList<>();
		this.events.deniedPublishes().add((subject, words) -> denied.add(subject + ": " + words));
		report("Permissions Violation for Publish to \"orders.acme\"");
		report("Permissions Violation for Subscription to \"orders.acme\"");
		report("Permissions Violation for Publish with Reply of \"_INBOX.x\"");
		assertThat(denied).singleElement()
			.asString()
			.startsWith("orders.acme: Permissions Violation for Publish to \"orders.acme\" (");
	}

	private void deniedAcknowledgement(String durable, int sequence) {
		report("Permissions Violation for Publish to \"$JS.ACK.ORDERS.%s.1.%d.%d.1795730674440721048.0\""
			.formatted(durable, sequence, sequence));
	}

	private void report(String error) {
		this.events.errorOccurred(this.connection, error);
	}

	private static List<String> reports(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("NATS server reports: ")).toList();
	}

}
