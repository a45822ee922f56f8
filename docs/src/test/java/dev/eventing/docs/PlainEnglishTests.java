package dev.eventing.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts words that a reader has to read twice, in comments and in texts of logs and
 * exceptions. Most of them are pronouns where a noun would say who or what is meant. A
 * few in a package are fine. A line may be excused in {@code plain-english-excused.txt},
 * with a reason.
 */
class PlainEnglishTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	/** Each with what to write instead. */
	private static final Map<Pattern, String> MARKS = marks();

	/** Per thousand words. */
	private static final double MOST = 4;

	/** A package with few words may have this many all the same. */
	private static final int FEW = 1;

	private static Map<Pattern, String> marks() {
		Map<String, String> marks = Map.ofEntries(
				Map.entry("so (?:many|much|often|long)\\b(?! (?:that|as)\\b)", "name the number: 'the size of a page'"),
				Map.entry("nobody|whoever", "name the class, the node or the operator"),
				Map.entry("(?:is|are) told|tells it", "'receives', 'learns', 'calls'"), Map.entry("anew", "'again'"),
				Map.entry("of (?:its|their) own", "'its own thread', 'a separate schema'"),
				Map.entry("those of", "repeat the noun"),
				Map.entry("(?:go|goes|going|gone|went) on", "'continues', 'resumes'"),
				Map.entry("a person", "'an operator', 'a developer'"),
				Map.entry("that which|takes? (?:\\w+ )?for (?:a|an|the)\\b|taken for", "'counts as', 'is treated as'"),
				Map.entry("bur(?:y|ies|ied)|disturbances?", "'dead letter', 'transient failure'"),
				Map.entry("(?:^|[.;:] )(?:what|who|which) (?:is|are|was|were|has|have|had|they|it|comes?|came|goes|one"
						+ "|can|cannot|could|must|may|a|the|no)", "begin the sentence with a noun"));
		Map<Pattern, String> patterns = new TreeMap<>(Comparator.comparing(Pattern::pattern));
		marks.forEach((mark, instead) -> patterns
			.put(Pattern.compile("(?<![\\w'])(?:" + mark + ")(?![\\w'])", Pattern.CASE_INSENSITIVE), instead));
		return patterns;
	}

	@Test
	void marksAreFewInEachPackage() {
		Map<String, Count> packages = new TreeMap<>();
		Excuses excuses = Excuses.read();
		for (Path file : files()) {
			String name = ROOT.relativize(file).toString().replace('\\', '/');
			String source = text(file);
			Count count = packages.computeIfAbsent(name.substring(0, name.lastIndexOf('/')), Count::new);
			JavaProse.comments(source).forEach((line) -> count.add(name, line, excuses));
			if (name.contains("/src/main/")) {
				JavaProse.texts(source).forEach((line) -> count.add(name, line, excuses));
			}
		}
		assertThat(packages.values()).filteredOn(Count::isOver)
			.as("packages with more than %s marks per thousand words", MOST)
			.isEmpty();
		assertThat(excuses.unused()).as("lines that need no excuse").isEmpty();
	}

	@Test
	void aMarkIsFoundInCommentsAndTextsAlone() {
		String source = """
				/** What it is, nobody knows. */
				String goesOn = "goes on"; // of its own
				String text = "the projector goes on in a moment";
				String sql = \"""
						select so many from anew
						\""";
				""";
		Count count = new Count("p");
		JavaProse.comments(source).forEach((line) -> count.add("f", line, new Excuses(Map.of())));
		JavaProse.texts(source).forEach((line) -> count.add("f", line, new Excuses(Map.of())));
		assertThat(count.found).hasSize(4);
	}

	private static List<Path> files() {
		try (Stream<Path> files = Files.walk(ROOT)) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !ROOT.relativize(file).toString().matches("(?:.*[/\\\\])?(?:target|\\..*)[/\\\\].*"))
				// Lists the marks themselves.
				.filter((file) -> !file.getFileName().toString().equals("PlainEnglishTests.java"))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The words and marks of a package. */
	private static final class Count {

		private final String name;

		private final List<String> found = new ArrayList<>();

		private int words;

		Count(String name) {
			this.name = name;
		}

		void add(String file, String line, Excuses excuses) {
			this.words += JavaProse.words(line);
			MARKS.forEach((mark, instead) -> mark.matcher(line)
				.results()
				.filter((result) -> !excuses.covers(file, line))
				.forEach((result) -> this.found
					.add(file.substring(file.lastIndexOf('/') + 1) + ": " + around(line, result) + " -> " + instead)));
		}

		boolean isOver() {
			return this.found.size() > Math.max(FEW, MOST * this.words / 1000);
		}

		private static String around(String line, MatchResult mark) {
			return line.substring(Math.max(0, mark.start() - 40), mark.start()) + ">" + mark.group() + "<"
					+ line.substring(mark.end(), Math.min(line.length(), mark.end() + 40));
		}

		@Override
		public String toString() {
			return "%n%s: %d in %d words%n  %s%n".formatted(this.name, this.found.size(), this.words,
					String.join("\n  ", this.found));
		}

	}

	/**
	 * Lines that keep their marks: file, a tab, a part of the line, a tab, the reason.
	 */
	private static final class Excuses {

		private final Map<String, List<String>> parts;

		private final Set<String> used = new HashSet<>();

		Excuses(Map<String, List<String>> parts) {
			this.parts = parts;
		}

		static Excuses read() {
			Map<String, List<String>> parts = new TreeMap<>();
			for (String line : text(Path.of("src/test/resources/plain-english-excused.txt")).lines().toList()) {
				if (line.startsWith("#")) {
					continue;
				}
				String[] columns = line.split("\t");
				assertThat(columns).as("file, part of the line, reason: %s", line).hasSize(3).doesNotContain("");
				parts.computeIfAbsent(columns[0], (file) -> new ArrayList<>()).add(columns[1]);
			}
			return new Excuses(parts);
		}

		boolean covers(String file, String line) {
			for (String part : this.parts.getOrDefault(file, List.of())) {
				if (line.contains(part)) {
					this.used.add(file + "\t" + part);
					return true;
				}
			}
			return false;
		}

		List<String> unused() {
			return this.parts.entrySet()
				.stream()
				.flatMap((entry) -> entry.getValue().stream().map((part) -> entry.getKey() + "\t" + part))
				.filter((excuse) -> !this.used.contains(excuse))
				.toList();
		}

	}

}
