package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each JSON that a command writes is a record of {@code operator}, as over HTTP. The
 * commands that run the application's jar print its line, and write none.
 */
class CommandJsonTests {

	private static final Path SOURCES = Path.of("src/main/java/dev/eventing/sdk");

	/** Writes what the commands give it. */
	private static final String WRITER = "DatabaseCommand";

	/** Commands whose JSON has another form. */
	private static final Set<String> EXCEPTIONS = Set.of("ShowCommand");

	/** A call, not a declaration; the value begins with {@code new X}, or with a name. */
	private static final Pattern WRITTEN = Pattern
		.compile("(?<![\\w>] )\\b(?:json|writeValueAsString)\\(\\s*(?:new )?(\\w+)");

	@Test
	void eachJsonOfACommandIsARecordThatHttpHasToo() throws IOException {
		try (Stream<Path> files = Files.list(SOURCES.resolve("cli"))) {
			assertThat(files.map((file) -> file.getFileName().toString().replace(".java", ""))
				.filter((name) -> !name.equals(WRITER))
				.filter((name) -> !written(name).stream().allMatch(CommandJsonTests::isRecordOfOperators))
				.collect(Collectors.toSet()))
				.as("commands that write another JSON. Consider a record in 'operator'. A command that writes no other"
						+ " JSON is no exception")
				.isEqualTo(EXCEPTIONS);
		}
	}

	@Test
	void findsWhatIsWritten() {
		assertThat(written("ProjectorListCommand")).containsExactly("ProjectorList");
		assertThat(written("CheckResults")).as("of another class").containsExactly("CheckList");
		assertThat(written("RequestWatch")).containsExactly("ProjectionRequested", "ProjectionRequested");
		assertThat(written("ProjectionDiffCommand")).as("one in a variable").containsExactly("DiffView", "DiffView");
	}

	/** The types of the values. */
	private static List<String> written(String command) {
		String source = source("cli", command);
		return WRITTEN.matcher(source).results().map((call) -> type(call.group(1), source)).toList();
	}

	/** A class itself, or the type of a variable, a parameter or a method. */
	private static String type(String name, String source) {
		if (Character.isUpperCase(name.charAt(0))) {
			return name;
		}
		Matcher declaration = Pattern.compile("([A-Z]\\w*)(?:<[^;()]*>)? " + name + "\\b").matcher(source);
		return declaration.find() ? declaration.group(1) : name;
	}

	private static boolean isRecordOfOperators(String type) {
		return Files.exists(SOURCES.resolve("operator").resolve(type + ".java"))
				&& source("operator", type).contains("public record " + type + "(");
	}

	private static String source(String folder, String type) {
		try {
			return Files.readString(SOURCES.resolve(folder).resolve(type + ".java"));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
