package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sources of this machine's packages: the entries of its apt configuration that have
 * the main component of its release. Reads both formats of apt, and writes the stanza
 * format.
 */
record AptSources(List<String> stanzas) {

	private static final Pattern ONE_LINE = Pattern
		.compile("deb\\s+(?:\\[(?<options>[^]]*)]\\s+)?(?<uri>\\S+)\\s+(?<suite>\\S+)\\s+(?<components>.+)");

	static AptSources read(Path directory, String codename) throws IOException {
		List<String> stanzas = new ArrayList<>();
		for (Path file : files(directory)) {
			String text = Files.readString(file);
			if (file.toString().endsWith(".sources")) {
				Arrays.stream(text.split("\\n\\s*\\n", -1))
					.map(AptSources::withoutComments)
					.filter((stanza) -> carriesMain(stanza, codename))
					.forEach(stanzas::add);
			}
			else {
				text.lines().map((line) -> stanza(line, codename)).flatMap(Optional::stream).forEach(stanzas::add);
			}
		}
		if (stanzas.isEmpty()) {
			throw new IOException("'" + directory + "' names no source of '" + codename + "' with component 'main'");
		}
		return new AptSources(stanzas);
	}

	/** The same sources for another suite. */
	String inSuite(String suite) {
		return this.stanzas.stream()
			.map((stanza) -> stanza.replaceAll("(?mi)^Suites:.*$", "Suites: " + suite))
			.collect(Collectors.joining("\n\n", "", "\n"));
	}

	private static List<Path> files(Path directory) throws IOException {
		List<Path> files = new ArrayList<>();
		Path parts = directory.resolve("sources.list.d");
		if (Files.isDirectory(parts)) {
			try (Stream<Path> found = Files.list(parts)) {
				found.filter((file) -> file.toString().endsWith(".sources") || file.toString().endsWith(".list"))
					.filter(Files::isReadable)
					.sorted()
					.forEach(files::add);
			}
		}
		Path list = directory.resolve("sources.list");
		if (Files.isReadable(list)) {
			files.add(list);
		}
		return files;
	}

	private static String withoutComments(String stanza) {
		return stanza.lines()
			.filter((line) -> !line.startsWith("#") && !line.isBlank())
			.collect(Collectors.joining("\n"));
	}

	private static boolean carriesMain(String stanza, String codename) {
		return words(stanza, "Types").contains("deb") && words(stanza, "Suites").contains(codename)
				&& words(stanza, "Components").contains("main") && !words(stanza, "Enabled").contains("no");
	}

	private static List<String> words(String stanza, String field) {
		Matcher matcher = Pattern.compile("(?mi)^" + field + ":(.*)$").matcher(stanza);
		return matcher.find() ? List.of(matcher.group(1).strip().split("\\s+", -1)) : List.of();
	}

	private static Optional<String> stanza(String line, String codename) {
		Matcher source = ONE_LINE.matcher(line.strip());
		if (!source.matches() || !source.group("suite").equals(codename)
				|| !List.of(source.group("components").split("\\s+", -1)).contains("main")) {
			return Optional.empty();
		}
		List<String> fields = new ArrayList<>(List.of("Types: deb", "URIs: " + source.group("uri"),
				"Suites: " + codename, "Components: " + source.group("components")));
		String options = source.group("options");
		Matcher key = Pattern.compile("signed-by=(\\S+)").matcher((options != null) ? options : "");
		if (key.find()) {
			fields.add("Signed-By: " + key.group(1));
		}
		return Optional.of(String.join("\n", fields));
	}

}
