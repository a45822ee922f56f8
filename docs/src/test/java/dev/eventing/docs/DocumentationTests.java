package dev.eventing.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The guides name what is there: files, tests, and code that is compiled somewhere. */
class DocumentationTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)\\s]*)?\\)");

	private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#:\\s]*)#([^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

	private static final Pattern NAMED_PLACE = Pattern.compile("<a id=\"([^\"]+)\">");

	private static final Pattern TEST_CLASS = Pattern.compile("(?<![-\\w])[A-Z]\\w*[a-z]\\w*(?:IT|Tests)\\b");

	private static final Pattern NUMBERED_TEST = Pattern.compile("G\\d+[A-Z]\\w*IT");

	private static final Pattern GUARANTEE = Pattern.compile("^## (G\\d+) .*?(?=^## |\\z)",
			Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	private static final Pattern BLOCK = Pattern.compile("^ *```.*?^ *```$", Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern LINK_TEXT = Pattern.compile("\\[[^\\]]*\\](?=\\()");

	private static final int MARGIN = 130;

	private static final Pattern FILE_BLOCK = Pattern.compile("```(?:sql|yaml|xml)\\n(.*?)```", Pattern.DOTALL);

	private final List<Path> pages = files(".md");

	private final List<Path> sources = files(".java");

	@Test
	void linksLeadSomewhere() {
		List<String> broken = new ArrayList<>();
		for (Path page : this.pages) {
			find(LINK, text(page)).map((link) -> link.group(1))
				.filter((target) -> !Files.exists(page.resolveSibling(target)))
				.forEach((target) -> broken.add(ROOT.relativize(page) + " -> " + target));
		}
		assertThat(broken).isEmpty();
	}

	@Test
	void linksLeadToHeadings() {
		List<String> broken = new ArrayList<>();
		for (Path page : this.pages) {
			find(ANCHOR, text(page)).filter((link) -> !places(page, link.group(1)).contains(link.group(2)))
				.forEach((link) -> broken.add(ROOT.relativize(page) + " -> " + link.group(1) + "#" + link.group(2)));
		}
		assertThat(broken).isEmpty();
	}

	/** The targets of links within a page: its headings, as their anchors are made. */
	private static Set<String> places(Path page, String target) {
		String text = BLOCK.matcher(text(target.isEmpty() ? page : page.resolveSibling(target))).replaceAll("");
		Stream<String> headings = find(HEADING, text).map((heading) -> heading.group(1)
			.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^\\w\\- ]", "")
			.replace(' ', '-'));
		return Stream.concat(headings, find(NAMED_PLACE, text).map((place) -> place.group(1)))
			.collect(Collectors.toSet());
	}

	@Test
	void testsThatAreNamedExist() {
		Set<String> classes = this.sources.stream()
			.map((source) -> source.getFileName().toString().replace(".java", ""))
			.collect(Collectors.toSet());
		Set<String> named = this.pages.stream()
			.flatMap((page) -> find(TEST_CLASS, text(page)).map(MatchResult::group))
			.collect(Collectors.toSet());
		assertThat(named).isNotEmpty().isSubsetOf(classes);
	}

	/** The number of a test is that of a guarantee whose section names the test. */
	@Test
	void testsWithANumberAreNamedInThatGuarantee() {
		Map<String, String> guarantees = find(GUARANTEE, text(ROOT.resolve("docs/guarantees.md")))
			.collect(Collectors.toMap((section) -> section.group(1), MatchResult::group));
		List<String> misplaced = this.sources.stream()
			.map((source) -> source.getFileName().toString().replace(".java", ""))
			.filter((name) -> NUMBERED_TEST.matcher(name).matches())
			.filter((name) -> !guarantees.getOrDefault(name.replaceFirst("^(G\\d+).*", "$1"), "").contains(name))
			.toList();
		assertThat(misplaced).as("tests that the section of their guarantee does not name").isEmpty();
	}

	@Test
	void javaSnippetsAreCompiledSomewhere() {
		List<String> code = this.sources.stream().map((source) -> squeezed(text(source))).toList();
		List<String> invented = this.pages.stream()
			.flatMap((page) -> find(JAVA_BLOCK, text(page)).map((block) -> block.group(1)))
			.filter((snippet) -> parts(snippet)
				.anyMatch((part) -> code.stream().noneMatch((source) -> source.contains(part))))
			.toList();
		assertThat(invented).isEmpty();
	}

	/**
	 * A reader finds the imports in the snippet, or in a file that is linked above it.
	 */
	@Test
	void javaSnippetsHaveTheirImportsOrALinkToTheirFile() {
		List<String> without = new ArrayList<>();
		for (Path page : this.pages) {
			String text = text(page);
			find(JAVA_BLOCK, text).filter((block) -> !block.group(1).contains("import "))
				.filter((block) -> linkedSources(page, text.substring(0, block.start()))
					.noneMatch((source) -> isFrom(block.group(1), source)))
				.map((block) -> ROOT.relativize(page) + ": " + block.group(1))
				.forEach(without::add);
		}
		assertThat(without).isEmpty();
	}

	private static Stream<String> linkedSources(Path page, String text) {
		return find(LINK, text).map((link) -> page.resolveSibling(link.group(1)))
			.filter((target) -> target.toString().endsWith(".java") && Files.exists(target))
			.map((target) -> squeezed(text(target)));
	}

	private static boolean isFrom(String snippet, String source) {
		return parts(snippet).allMatch(source::contains);
	}

	/** Tables, blocks and what cannot be wrapped may be longer. */
	@Test
	void linesOfProseEndAtTheMargin() {
		List<String> wide = new ArrayList<>();
		for (Path page : this.pages) {
			BLOCK.matcher(text(page))
				.replaceAll("")
				.lines()
				.filter((line) -> line.length() > MARGIN && !line.stripLeading().startsWith("|"))
				.filter((line) -> LINK_TEXT.matcher(line.strip()).replaceAll("").contains(" "))
				.forEach((line) -> wide.add(ROOT.relativize(page) + ": " + line));
		}
		assertThat(wide).as("lines of more than %d characters; break them at the end of a thought", MARGIN).isEmpty();
	}

	@Test
	void readmeIsShort() {
		assertThat(text(ROOT.resolve("README.md")).lines()).hasSizeLessThanOrEqualTo(250);
	}

	@Test
	void readmeShowsFilesOfTheQuickStart() {
		Path quickstart = ROOT.resolve("samples/quickstart");
		List<String> contents = Stream
			.of("pom.xml", "src/main/resources/application.yml",
					"src/main/resources/db/migration/V1__create_daily_sales.sql")
			.map((file) -> squeezed(text(quickstart.resolve(file))))
			.toList();
		// The sample has its parent's versions.
		List<String> snippets = find(FILE_BLOCK, text(ROOT.resolve("README.md")))
			.map((block) -> squeezed(block.group(1).replaceAll("<version>.*</version>", "")))
			.toList();
		assertThat(snippets).hasSameSizeAs(contents)
			.allSatisfy((snippet) -> assertThat(contents).anyMatch((content) -> content.contains(snippet)));
	}

	/** Who copies the pom.xml gets the versions with which this build tests. */
	@Test
	void aNewApplicationHasTheVersionsOfThisBuild() {
		String build = text(ROOT.resolve("pom.xml"));
		assertThat(fileBlocks("new-application").filter((block) -> block.startsWith("<?xml"))).singleElement()
			.asString()
			.contains("<version>" + property(build, "spring-boot.version") + "</version>")
			.contains("<eventing.version>" + property(build, "revision") + "</eventing.version>")
			.contains("<java.version>" + property(build, "maven.compiler.release") + "</java.version>");
	}

	private static String property(String pom, String name) {
		String tag = "<" + name + ">";
		return pom.substring(pom.indexOf(tag) + tag.length(), pom.indexOf("</" + name + ">"));
	}

	/** Scripts and configuration in the guides are tested. */
	@Test
	void aNewApplicationHasTheFilesOfItsTests() {
		Path tested = ROOT.resolve("eventing-sdk-test/src/test/resources/dev/eventing/sdk/guides/library");
		List<String> files = Stream.of("application.yml", "rights.sql", "migration/V1__create_loan_and_reservation.sql")
			.map((file) -> text(tested.resolve(file)))
			.toList();
		assertThat(Stream.of("new-application", "multi-tenancy", "configuration")
			.flatMap(DocumentationTests::fileBlocks)
			.filter((block) -> block.contains("library") && !block.startsWith("<?xml")))
			.containsExactlyInAnyOrderElementsOf(files);
	}

	private static Stream<String> fileBlocks(String page) {
		return find(FILE_BLOCK, text(ROOT.resolve("docs/" + page + ".md"))).map((block) -> block.group(1));
	}

	private static Stream<MatchResult> find(Pattern pattern, String text) {
		return pattern.matcher(text).results();
	}

	/** A line of three dots stands for what is left out. */
	private static Stream<String> parts(String snippet) {
		return Stream.of(snippet.split("\n\\s*(?://)? ?(?:\\.\\.\\.|…)\\s*\n")).map(DocumentationTests::squeezed);
	}

	private static String squeezed(String code) {
		return code.replaceAll("\\s+", "");
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> files(String ending) {
		try (Stream<Path> files = Files.walk(ROOT)) {
			return files.filter((file) -> file.toString().endsWith(ending))
				.filter((file) -> !file.toString().contains("/target/"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
