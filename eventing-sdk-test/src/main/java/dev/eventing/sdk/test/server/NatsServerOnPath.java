package dev.eventing.sdk.test.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The nats-server on the machine's PATH. */
record NatsServerOnPath(Machine machine) implements NatsServerSource {

	@Override
	public String place() {
		return "PATH";
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		String path = this.machine.environment().getOrDefault("PATH", "");
		Path found = Arrays.stream(path.split(File.pathSeparator, -1))
			.filter((directory) -> !directory.isBlank())
			.map((directory) -> Path.of(directory, "nats-server"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IOException("no nats-server there"));
		return NatsServerBinary.inspect(found, line);
	}

}
