package dev.eventing.sdk.test.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import dev.eventing.sdk.guarantees.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WatchdogIT {

	@Test
	void endsServersAndDeletesTheirFilesWhenTheirJvmIsKilled() throws Exception {
		List<String> command = ChildJvm.java();
		command.addAll(List.of("-cp", System.getProperty("java.class.path")));
		System.getProperties()
			.stringPropertyNames()
			.stream()
			.filter((name) -> name.startsWith("eventing.test."))
			.forEach((name) -> command.add("-D" + name + "=" + System.getProperty(name)));
		command.add(AbandonedServers.class.getName());
		Process jvm = new ProcessBuilder(command).redirectError(new File("target/abandoned-servers.log")).start();
		try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
			List<Server> servers = List.of(server(out), server(out));
			assertThat(servers).allMatch(Server::isAlive);
			jvm.destroyForcibly();
			await()
				.untilAsserted(() -> assertThat(servers).allSatisfy((server) -> assertThat(server.isGone()).isTrue()));
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	private static Server server(BufferedReader out) throws IOException {
		String line = out.readLine();
		while (line != null && !line.startsWith("server ")) {
			line = out.readLine();
		}
		assertThat(line).as("see target/abandoned-servers.log").isNotNull();
		String[] words = line.split(" ", 3);
		return new Server(Long.parseLong(words[1]), Path.of(words[2]));
	}

	private record Server(long pid, Path directory) {

		boolean isAlive() {
			return ProcessHandle.of(this.pid).map(ProcessHandle::isAlive).orElse(false);
		}

		boolean isGone() {
			return !isAlive() && !this.directory.toFile().exists();
		}

	}

}
