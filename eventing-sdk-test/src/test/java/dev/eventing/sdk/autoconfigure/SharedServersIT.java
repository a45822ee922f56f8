package dev.eventing.sdk.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.guarantees.ChildJvm;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The servers that tests share outlive the contexts that Spring closes at the end of the
 * JVM, as those that {@code @SpringBootTest} keeps, and no longer.
 */
class SharedServersIT {

	@TempDir
	private Path directory;

	@Test
	void outliveApplicationsThatEndWithTheJvmAndEndThemselves() throws Exception {
		Path log = this.directory.resolve("jvm.log");
		List<String> command = ChildJvm.java();
		command.addAll(List.of("-cp", System.getProperty("java.class.path")));
		System.getProperties()
			.stringPropertyNames()
			.stream()
			.filter((name) -> name.startsWith("eventing.test."))
			.forEach((name) -> command.add("-D" + name + "=" + System.getProperty(name)));
		command.add(Tests.class.getName());
		Process jvm = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			assertThat(jvm.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).as("the JVM has ended").isTrue();
			List<String> lines = Files.readAllLines(log);
			int end = lines.indexOf("the tests are over");
			assertThat(end).as(() -> String.join("\n", lines)).isNotNegative();
			assertThat(lines.subList(end, lines.size())).noneMatch((line) -> line.contains("WARN"))
				.noneMatch((line) -> line.contains("ERROR"))
				.noneMatch((line) -> line.contains("Exception"));
			assertThat(jvm.exitValue()).isZero();
			List<Integer> ports = lines.stream()
				.filter((line) -> line.startsWith("port "))
				.map((line) -> Integer.valueOf(line.substring(5)))
				.toList();
			assertThat(ports).hasSize(2);
			await().until(() -> ports.stream().noneMatch(SharedServersIT::listens));
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	private static boolean listens(int port) {
		try {
			new Socket(InetAddress.getLoopbackAddress(), port).close();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** A run of tests that closes no context: Spring's hooks do. */
	static final class Tests {

		private Tests() {
		}

		public static void main(String[] arguments) {
			for (String root : List.of("one", "two")) {
				UsersApplication.run("root=" + root, "spring.datasource.url=" + TestServers.postgres().createDatabase(),
						"eventing.nats.servers=" + TestServers.nats().url(), "eventing.schema.mode=migrate",
						"eventing.streams." + root + ".subjects=" + root + ".>");
			}
			System.out.println("port " + TestServers.postgres().port());
			System.out.println("port " + URI.create(TestServers.nats().url()).getPort());
			System.out.println("the tests are over");
			System.exit(0);
		}

	}

}
