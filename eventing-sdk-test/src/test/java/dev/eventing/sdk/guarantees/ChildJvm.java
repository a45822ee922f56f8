package dev.eventing.sdk.guarantees;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Command lines of JVMs that tests start. They end before a second stage of optimisation
 * pays.
 */
public final class ChildJvm {

	private ChildJvm() {
	}

	/** The program and its options, for a class path or a jar to follow. */
	public static List<String> java() {
		return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-Xshare:auto", "-XX:TieredStopAtLevel=1"));
	}

	/** A node whose application is in this class of the tests. */
	static List<String> node(String heap, Class<?> main, String... arguments) {
		List<String> command = java();
		command.addAll(Node.ARCHIVE.options());
		command.addAll(List.of("-Xmx" + heap, "-cp", Node.CLASS_PATH, main.getName()));
		command.addAll(List.of(arguments));
		return command;
	}

	/** The command line of operators, for its arguments to follow. */
	public static List<String> eventing() {
		List<String> command = java();
		command.addAll(Operator.ARCHIVE.options());
		command.addAll(List.of("-jar", Operator.JAR.toString()));
		return command;
	}

	/** The classes of operators' commands. */
	private static final class Operator {

		static final Path JAR = Path
			.of(System.getProperty("eventing.cli.jar", "../eventing-operator/target/eventing-cli.jar"));

		static final ClassArchive ARCHIVE = ClassArchive.of(List.of(JAR), Operator::rehearse);

		private Operator() {
		}

		private static void rehearse(String option) throws IOException, InterruptedException {
			try (World world = World.create()) {
				List<String> command = java();
				command.addAll(List.of(option, "-jar", JAR.toString(), "projection", "list", "--json", "--url",
						world.jdbcUrl(), "--user", "postgres"));
				Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
					.redirectError(ProcessBuilder.Redirect.DISCARD)
					.start();
				assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		}

	}

	/** The classes of nodes. */
	private static final class Node {

		private static final List<Path> JARS = Stream
			.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
			.filter((entry) -> !entry.isEmpty())
			.map(Path::of)
			.filter(Files::exists)
			.map(ClassArchive::jar)
			.toList();

		static final String CLASS_PATH = JARS.stream()
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));

		static final ClassArchive ARCHIVE = ClassArchive.of(JARS, Node::rehearse);

		private Node() {
		}

		/** Each source has an event, and the node ends as those do that are stopped. */
		private static void rehearse(String option) throws IOException, InterruptedException {
			Path log = Files.createTempFile("rehearsal-", ".log");
			try (World world = World.create()) {
				List<String> command = java();
				command.addAll(List.of(option, "-Xmx256m", "-cp", CLASS_PATH, ProjectorProcess.Main.class.getName(),
						world.natsUrl(), world.jdbcUrl(), world.root(), Rehearsed.class.getName()));
				Process process = new ProcessBuilder(command).redirectErrorStream(true)
					.redirectOutput(log.toFile())
					.start();
				try {
					world.publish(World.ACME, "published", 1, 1);
					world.append(World.ACME, "appended", 1, 1);
					await().atMost(Patience.PROCESS).until(() -> {
						assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
						return world.count("select count(*) from account") == 2;
					});
					process.destroy();
					assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
				}
				finally {
					process.destroyForcibly();
				}
			}
			finally {
				Files.delete(log);
			}
		}

	}

	/** Takes an event of each source. */
	static final class Rehearsed {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "published")
		public void published(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "appended",
				source = Source.EVENT_STORE)
		public void appended(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
