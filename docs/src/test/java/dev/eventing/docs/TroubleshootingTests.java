package dev.eventing.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who looks for a line of the log finds it in the guide: each line there is what the code
 * writes, word for word.
 */
class TroubleshootingTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Path PAGE = ROOT.resolve("docs/troubleshooting.md");

	private static final Pattern BLOCK = Pattern.compile("```text\\n(.*?)```", Pattern.DOTALL);

	/** A line that begins with blanks continues the one before it. */
	private static final Pattern CONTINUED = Pattern.compile("\\n +");

	/** A placeholder of the guide, such as {@code <name>}. */
	private static final String NAMED_VALUE = "<[a-z][^>]*>";

	/** A placeholder of the code within a text. */
	private static final List<String> VALUES = List.of("\\{}", "%(?:\\d\\$)?[sd]",
			"\"\\s*\\+(?:(?!\"\\s*\\+)[^;]|\"; \")*?\\+\\s*\"");

	private static final String VALUE = "<>";

	private static final Pattern LEVEL = Pattern.compile("^(ERROR|WARN|INFO) +");

	/** Stands for a quotation mark within a text. */
	private static final String MARK = "\u0001";

	private static final Pattern CODE = Pattern.compile("`(eventing[ .][^`<=]+)");

	@Test
	void linesAreWhatTheCodeWrites() {
		List<String> sources = sources();
		List<String> unknown = lines().filter((line) -> forms(line).noneMatch((form) -> isIn(sources, form))).toList();
		assertThat(lines()).hasSizeGreaterThan(50);
		assertThat(unknown).as("lines of %s that no code writes like this", PAGE.getFileName()).isEmpty();
	}

	/** A setting or a command is explained in another guide. */
	@Test
	void settingsAndCommandsAreThoseOfTheOtherGuides() {
		String others = files(ROOT.resolve("docs"), ".md").filter((page) -> !page.equals(PAGE))
			.map(TroubleshootingTests::text)
			.collect(Collectors.joining());
		assertThat(find(CODE, BLOCK.matcher(text(PAGE)).replaceAll("")).map((code) -> code.group(1).strip()))
			.isNotEmpty()
			.allSatisfy((code) -> assertThat(others).contains(code));
	}

	private static Stream<String> lines() {
		return find(BLOCK, text(PAGE)).flatMap((block) -> CONTINUED.matcher(block.group(1)).replaceAll(" ").lines());
	}

	/** A value at the beginning or end may be outside of the text. */
	private static Stream<String> forms(String line) {
		String call = find(LEVEL, line).map((level) -> "." + level.group(1).toLowerCase(Locale.ROOT) + "(")
			.collect(Collectors.joining());
		String text = LEVEL.matcher(line).replaceFirst("").replace("\"", MARK).replaceAll(NAMED_VALUE, VALUE);
		String inner = text.replaceFirst("^" + VALUE, "").replaceFirst(VALUE + "$", "");
		return Stream.of(text, inner, text.replaceFirst("^" + VALUE, ""), text.replaceFirst(VALUE + "$", ""))
			.map((form) -> call + "\"" + form + "\"");
	}

	private static boolean isIn(List<String> sources, String form) {
		return sources.stream().anyMatch((source) -> source.contains(form));
	}

	/** With each text in one piece. */
	private static List<String> sources() {
		return Stream.of("eventing-sdk", "eventing-operator", "migrations")
			.flatMap((module) -> files(ROOT.resolve(module + "/src/main/java"), ".java"))
			.map((file) -> text(file).replace("\\\"", MARK).replaceAll("\"\\s*\\+\\s*\"", ""))
			.map((code) -> VALUES.stream().reduce(code, (text, value) -> text.replaceAll(value, VALUE)))
			.map((code) -> code.replaceAll("\\(\\s+\"", "(\""))
			.toList();
	}

	private static Stream<MatchResult> find(Pattern pattern, String text) {
		return pattern.matcher(text).results();
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> files(Path folder, String ending) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(ending)).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
