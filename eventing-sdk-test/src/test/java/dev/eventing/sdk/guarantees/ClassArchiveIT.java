package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** No process that tests start depends on an archive of its classes. */
class ClassArchiveIT {

	@TempDir
	private Path directory;

	@Test
	void isMappedByProcessesOfTheSameClasses() throws Exception {
		Path jar = copy("classes.jar");
		ClassArchive archive = ClassArchive.of(List.of(jar), (option) -> run(jar, List.of(option)));
		assertThat(run(jar, archive.options())).contains("Main source: shared objects file (top)");
		ClassArchive same = ClassArchive.of(List.of(jar), (option) -> assertThat(option).isEmpty());
		assertThat(same.options()).isEqualTo(archive.options());
	}

	@Test
	void isPassedOverInSilenceByProcessesOfOtherClasses() throws Exception {
		Path jar = copy("classes.jar");
		List<String> options = ClassArchive.of(List.of(jar), (option) -> run(jar, List.of(option))).options();
		assertThat(run(copy("others.jar"), options)).contains("Main source: file:").doesNotContain("warning");
	}

	@Test
	void isLeftOutWhereTheRehearsalFails() throws IOException, URISyntaxException {
		ClassArchive archive = ClassArchive.of(List.of(copy("classes.jar")), (option) -> {
			throw new IOException("no process");
		});
		assertThat(archive.options()).isEmpty();
	}

	private Path copy(String name) throws IOException, URISyntaxException {
		Path classes = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return Files.copy(ClassArchive.jar(classes), this.directory.resolve(name));
	}

	private static String run(Path jar, List<String> options) throws IOException, InterruptedException {
		List<String> command = ChildJvm.java();
		command.addAll(options);
		command.addAll(List.of("-Xlog:class+load", "-cp", jar.toString(), Main.class.getName()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output;
	}

	/** The process. */
	static final class Main {

		private Main() {
		}

		public static void main(String... arguments) {
			System.out.println("begun");
		}

	}

}
