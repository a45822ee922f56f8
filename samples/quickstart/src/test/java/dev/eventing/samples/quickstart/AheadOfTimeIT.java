package dev.eventing.samples.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the sample from code that was generated ahead of time, in a separate JVM. Boot's
 * plugins for Maven and Gradle generate it in the same way.
 */
class AheadOfTimeIT {

	@TempDir
	private Path folder;

	@Test
	void appliesAnEventOnceThatIsPublishedTwice() throws Exception {
		generate();
		compile();
		Path log = this.folder.resolve("log");
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dspring.aot.enabled=true", "-cp",
				String.join(File.pathSeparator, this.folder.resolve("classes").toString(),
						this.folder.resolve("resources").toString(), System.getProperty("java.class.path")),
				QuickstartApplication.class.getName(), "--eventing.nats.servers=" + TestServers.nats().url(),
				"--spring.datasource.url=" + TestServers.postgres().createDatabase(),
				"--logging.level.dev.eventing.samples=info")
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			assertThat(jvm.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).as("the JVM has ended").isTrue();
			assertThat(log).content()
				.contains("Starting AOT-processed QuickstartApplication")
				.contains("delivery 1: processed 1, duplicates 0")
				.contains("delivery 2: processed 1, duplicates 1");
			assertThat(jvm.exitValue()).isZero();
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	private void generate() {
		Settings settings = Settings.builder()
			.sourceOutput(this.folder.resolve("sources"))
			.resourceOutput(this.folder.resolve("resources"))
			.classOutput(this.folder.resolve("classes"))
			.groupId("dev.eventing")
			.artifactId("quickstart")
			.build();
		new SpringApplicationAotProcessor(QuickstartApplication.class, settings, new String[0]).process();
		Path hints = this.folder.resolve("resources/META-INF/native-image/dev.eventing/quickstart");
		assertThat(hints).isNotEmptyDirectory();
	}

	private void compile() throws IOException {
		String classes = this.folder.resolve("classes").toString();
		// generated code names proxies that were generated as classes
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes, "-cp",
				classes + File.pathSeparator + System.getProperty("java.class.path")));
		try (Stream<Path> files = Files.walk(this.folder.resolve("sources"))) {
			files.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
		}
		ByteArrayOutputStream said = new ByteArrayOutputStream();
		int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(String[]::new));
		assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
	}

}
