package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.eventing.sdk.test.server.NatsServer;

import org.springframework.util.FileSystemUtils;

/**
 * A copy of what a NATS server has stored, which can be put back: the server then has
 * forgotten what came after the copy.
 */
final class StoreCopy {

	private final NatsServer nats;

	private final Path copy;

	private StoreCopy(NatsServer nats, Path copy) {
		this.nats = nats;
		this.copy = copy;
	}

	/** Stops the server, copies its store to the directory, and starts it again. */
	static StoreCopy of(NatsServer nats, Path directory) throws IOException {
		StoreCopy copy = new StoreCopy(nats, directory.resolve("jetstream"));
		nats.stop();
		FileSystemUtils.copyRecursively(copy.store(), copy.copy);
		nats.restart();
		return copy;
	}

	/** Stops the server, replaces its store, and starts it again. */
	void putBack() throws IOException {
		this.nats.stop();
		FileSystemUtils.deleteRecursively(store());
		Files.createDirectories(store());
		FileSystemUtils.copyRecursively(this.copy, store());
		this.nats.restart();
	}

	private Path store() {
		return this.nats.storeDirectory().resolve("jetstream");
	}

}
