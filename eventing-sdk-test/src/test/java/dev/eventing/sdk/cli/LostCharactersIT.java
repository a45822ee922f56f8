package dev.eventing.sdk.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.guarantees.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The locale of a container is often POSIX, where the JVM knows ASCII only. */
@EnabledOnOs(OS.LINUX)
class LostCharactersIT {

	@TempDir
	private Path directory;

	@Test
	void ofAnIdAreAUsageErrorAndNotAnotherId() throws Exception {
		Run run = erase("POSIX");
		assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.USAGE);
		assertThat(run.err()).contains(
				"The argument 'kunde-\u00E4' has characters that the locale of this process does" + " not have",
				"Consider the environment variable LC_ALL=C.UTF-8");
		assertThat(run.out()).isEmpty();
	}

	@Test
	void areNotLostInALocaleThatHasThem() throws Exception {
		Run run = erase("C.UTF-8");
		assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.USAGE);
		assertThat(run.err()).contains("No database is given").doesNotContain("locale");
	}

	/** The shell makes the bytes, because this process may have the locale, too. */
	private Run erase(String locale) throws Exception {
		List<String> line = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" \"kunde-$(printf '\\303\\244')\"", "sh"));
		line.addAll(ChildJvm.eventing());
		line.addAll(List.of("erase", "--tenant", "acme", "--reason", "a test", "--yes", "--stream"));
		ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(this.directory.resolve("out").toFile())
			.redirectError(this.directory.resolve("err").toFile());
		builder.environment().keySet().removeIf((name) -> name.startsWith("EVENTING_") || name.contains("JAVA"));
		builder.environment().put("LC_ALL", locale);
		return CliProgram.end(this.directory, builder.start());
	}

}
