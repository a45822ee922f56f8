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
 * Each JSON that a command writes is a record of {@code operator}, and all but a few are
 * answers over HTTP. The commands that run the application's jar print its line, and
 * write none.
 */
class CommandJsonTests {

	private static final Path SOURCES = Path.of("src/main/java/dev/eventing/sdk");

	/** Writes what the commands give it. */
	private static final String WRITER = "DatabaseCommand";

	/** Values that are no answer: the payload of a letter, for an operator to read. */
	private static final Set<String> OTHERS = Set.of("ShowCommand: OutputOptions.JSON.readTree");

	/** What HTTP does not have; the guide says so. */
	private static final Set<String> ONLY_COMMANDS = Set.of("LagList", "ProjectionDdl", "ProjectionList",
			"ProjectionShown", "RedriveResult");

	/**
	 * A call, not a declaration. The value is {@code new X(}, or a name, which may be
	 * followed by a call.
	 */
	private static final Pattern WRITTEN = Pattern
		.compile("(?<!void )\\b(?:json|writeValueAsString)\\(\\s*(?:new )?(\\w+)((?:\\.\\w+)*)");

	/** The answers of requests over HTTP. */
	private static final Pattern ANSWER = Pattern.compile("public (?:@Nullable )?(?:Optional<)?([A-Z]\\w+)>? \\w+\\(");

	@Test
	void eachJsonOfACommandIsARecordOfOperators() throws IOException {
		assertThat(commands().stream()
			.flatMap((command) -> written(command).stream()
				.filter((type) -> !isRecordOfOperators(type))
				.map((type) -> command + ": " + type))
			.collect(Collectors.toSet()))
			.as("commands that write another JSON. Consider a record in 'operator'. A command that writes no other"
					+ " JSON is no exception")
			.isEqualTo(OTHERS);
	}

	@Test
	void eachRecordIsAnAnswerOverHttpButForAFew() throws IOException {
		Set<String> answers = names("operator").stream()
			.filter((name) -> name.endsWith("Operations"))
			.flatMap((name) -> ANSWER.matcher(source("operator", name)).results().map((found) -> found.group(1)))
			.collect(Collectors.toSet());
		assertThat(answers).contains("LetterList", "LetterView", "ProjectionRequested", "ErasureView");
		assertThat(commands().stream()
			.flatMap((command) -> written(command).stream())
			.filter(CommandJsonTests::isRecordOfOperators)
			.filter((type) -> !answers.contains(type))
			.collect(Collectors.toSet())).isEqualTo(ONLY_COMMANDS);
	}

	@Test
	void findsWhatIsWritten() {
		assertThat(written("ProjectorListCommand")).containsExactly("ProjectorList");
		assertThat(written("CheckResults")).as("of another class").containsExactly("CheckList");
		assertThat(written("RequestWatch")).containsExactly("ProjectionRequested", "ProjectionRequested");
		assertThat(written("ProjectionDiffCommand")).as("one in a variable").containsExactly("DiffView", "DiffView");
		assertThat(typesIn("ProjectorList all; return json(all);")).containsExactly("ProjectorList");
		assertThat(typesIn("all.forEach((one) -> json(Map.of()));")).containsExactly("Map.of");
		assertThat(typesIn("if (a) { b(); } else json(List.of());")).containsExactly("List.of");
		assertThat(typesIn("LetterView view; json(view.audit());")).as("a part of a record")
			.containsExactly("view.audit");
		assertThat(typesIn("void json(Object value) {")).isEmpty();
	}

	private static List<String> commands() throws IOException {
		return names("cli").stream().filter((name) -> !name.equals(WRITER)).toList();
	}

	private static List<String> names(String folder) throws IOException {
		try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
			return files.map((file) -> file.getFileName().toString().replace(".java", "")).toList();
		}
	}

	/** The types of the values. */
	private static List<String> written(String command) {
		return typesIn(source("cli", command));
	}

	private static List<String> typesIn(String source) {
		return WRITTEN.matcher(source).results().map((call) -> type(call.group(1), call.group(2), source)).toList();
	}

	/**
	 * A class of {@code operator} that is made or that makes the value, or the type of a
	 * variable or a parameter. Any other call stays as it is written.
	 */
	private static String type(String name, String calls, String source) {
		if (isRecordOfOperators(name)) {
			return name;
		}
		Matcher declaration = Pattern.compile("([A-Z]\\w*)(?:<[^;()]*>)? " + name + "\\b").matcher(source);
		return (calls.isEmpty() && declaration.find()) ? declaration.group(1) : name + calls;
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
