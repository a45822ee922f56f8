package dev.eventing.sdk.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DataDirectoryTest {

	private static final Path TEMPORARY = Path.of("/temporary");

	@TempDir
	Path memory;

	private final Map<String, String> environment = new HashMap<>();

	@Test
	void isInMemoryIfThereIsRoom() {
		assertThat(parent(this.memory, 1)).isEqualTo(this.memory);
	}

	@Test
	void isAmongTheTemporaryFilesIfThereIsNoRoomInMemory() {
		assertThat(parent(this.memory, Long.MAX_VALUE)).isEqualTo(TEMPORARY);
	}

	@Test
	void isAmongTheTemporaryFilesOnASystemWithoutFilesInMemory() {
		assertThat(parent(this.memory.resolve("missing"), 1)).isEqualTo(TEMPORARY);
	}

	@Test
	void isWhereItIsSaidToBe() {
		this.environment.put("EVENTING_TEST_DIRECTORY", "/named");
		assertThat(parent(this.memory, 1)).isEqualTo(Path.of("/named"));
	}

	private Path parent(Path memory, long room) {
		Map<String, String> properties = Map.of("java.io.tmpdir", TEMPORARY.toString());
		Path nowhere = Path.of("/nowhere");
		URI releases = URI.create("http://localhost");
		Machine machine = new Machine(properties, this.environment, nowhere, nowhere, releases);
		return DataDirectory.parent(machine, memory, room);
	}

}
