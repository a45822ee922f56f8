package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NatsServerBinaryTest {

	@TempDir
	Path directory;

	private final Map<String, String> properties = new HashMap<>(Map.of("os.name", "Linux", "os.arch", "amd64"));

	@Test
	void saysOfEachPlaceWhyThereIsNone() throws IOException {
		Machine machine = machine();
		assertThatExceptionOfType(NatsServerNotFoundException.class)
			.isThrownBy(() -> NatsServerBinary.find(NatsServerLine.NEWEST, machine))
			.satisfies((ex) -> assertThat(ex.attempts()).extracting(NatsServerNotFoundException.Attempt::place)
				.containsExactly("eventing.test.nats-server", "PATH",
						"cache '" + this.directory.resolve("cache/nats-server") + "'", "release archive",
						"package archive"))
			.withMessageContaining("neither the property nor EVENTING_TEST_NATS_SERVER is set")
			.withMessageContaining("no nats-server there")
			.withMessageContaining("holds none that is 2.14 or newer")
			.withMessageContaining("nats-server-v2.14.5-linux-amd64.tar.gz' cannot be fetched: ConnectException")
			.withMessageContaining("names no source of 'bookworm'")
			.withMessageContaining("-Deventing.test.nats-server=/path/to/nats-server");
	}

	@Test
	void takesTheOneOnThePath() throws IOException {
		program("path", "2.12.3");
		assertThat(NatsServerBinary.find(NatsServerLine.ANY, machine())).isEqualTo(
				new NatsServerBinary(this.directory.resolve("path").resolve("nats-server"), new Version(2, 12, 3)));
	}

	@Test
	void refusesOneThatIsTooOld() throws IOException {
		program("path", "2.9.25");
		Machine machine = machine();
		assertThatExceptionOfType(NatsServerNotFoundException.class)
			.isThrownBy(() -> NatsServerBinary.find(NatsServerLine.ANY, machine))
			.withMessageContaining("is 2.9.25, wanted is 2.10 or newer");
	}

	@Test
	void prefersTheNamedOne() throws IOException {
		program("path", "2.12.3");
		Path named = program("named", "2.14.1");
		this.properties.put("eventing.test.nats-server", named.toString());
		assertThat(NatsServerBinary.find(NatsServerLine.ANY, machine()).path()).isEqualTo(named);
	}

	@Test
	void takesNoOtherWhenTheNamedOneIsMissing() throws IOException {
		program("path", "2.12.3");
		this.properties.put("eventing.test.nats-server", this.directory.resolve("missing").toString());
		Machine machine = machine();
		assertThatExceptionOfType(NatsServerNotFoundException.class)
			.isThrownBy(() -> NatsServerBinary.find(NatsServerLine.ANY, machine))
			.satisfies((ex) -> assertThat(ex.attempts()).hasSize(1))
			.withMessageContaining("missing' is no executable file");
	}

	@Test
	void takesTheNewestOfTheWantedLineFromTheCache() throws IOException {
		program("cache/nats-server/2.10.9", "2.10.9");
		program("cache/nats-server/2.10.27", "2.10.27");
		program("cache/nats-server/2.15.1", "2.15.1");
		assertThat(NatsServerBinary.find(NatsServerLine.OLDEST, machine()).version()).hasToString("2.10.27");
		assertThat(NatsServerBinary.find(NatsServerLine.NEWEST, machine()).version()).hasToString("2.15.1");
		assertThat(NatsServerBinary.find(NatsServerLine.ANY, machine()).version()).hasToString("2.15.1");
	}

	@Test
	void takesAnOlderOneFromTheCacheWhenNoNewOneCanBeHad() throws IOException {
		program("cache/nats-server/2.10.27", "2.10.27");
		assertThat(NatsServerBinary.find(NatsServerLine.ANY, machine()).version()).hasToString("2.10.27");
	}

	@Test
	void readsTheLineFromTheEnvironment() throws IOException {
		assertThat(NatsServerLine.of(machine())).isEqualTo(NatsServerLine.ANY);
		assertThat(NatsServerLine.of(machine(Map.of("EVENTING_TEST_NATS_VERSION", "oldest"))))
			.isEqualTo(NatsServerLine.OLDEST);
		Machine machine = machine(Map.of("EVENTING_TEST_NATS_VERSION", "2.11"));
		assertThatIllegalArgumentException().isThrownBy(() -> NatsServerLine.of(machine))
			.withMessageContaining("'2.11'");
	}

	private Machine machine() throws IOException {
		return machine(Map.of());
	}

	private Machine machine(Map<String, String> environment) throws IOException {
		Path osRelease = Files.writeString(this.directory.resolve("os-release"),
				"ID=debian\nVERSION_CODENAME=bookworm\n");
		this.properties.put("eventing.test.cache", this.directory.resolve("cache").toString());
		Map<String, String> variables = new HashMap<>(environment);
		variables.put("PATH", this.directory.resolve("path").toString());
		return new Machine(this.properties, variables, this.directory.resolve("apt"), osRelease,
				URI.create("http://127.0.0.1:" + LoopbackPorts.free() + "/"));
	}

	private Path program(String where, String version) throws IOException {
		Path program = Files.createDirectories(this.directory.resolve(where)).resolve("nats-server");
		Files.writeString(program, "#!/bin/sh\necho 'nats-server: v" + version + "'\n");
		assertThat(program.toFile().setExecutable(true)).isTrue();
		return program;
	}

}
