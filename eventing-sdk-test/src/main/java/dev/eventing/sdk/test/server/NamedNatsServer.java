package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Path;

/** The nats-server named by a property or environment variable. */
record NamedNatsServer(Machine machine) implements NatsServerSource {

	private static final String PROPERTY = "eventing.test.nats-server";

	boolean isNamed() {
		return this.machine.setting(PROPERTY).isPresent();
	}

	@Override
	public String place() {
		return PROPERTY;
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		String path = this.machine.setting(PROPERTY)
			.orElseThrow(() -> new IOException("neither the property nor EVENTING_TEST_NATS_SERVER is set"));
		return NatsServerBinary.inspect(Path.of(path), line);
	}

}
