package dev.eventing.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The soak uses of the library what its users can use. */
class PublicApiTests {

	/** Its rooms have names of two parts; those of its test kit are for users, too. */
	private static final Pattern ROOM = Pattern
		.compile("import (?:static )?dev\\.eventing\\.sdk\\.(?!test\\.)[a-z]+\\.[a-z]\\w*\\.[^;]+;");

	@Test
	void nothingInternalIsImported() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			List<Path> sources = files.filter((file) -> file.toString().endsWith(".java")).toList();
			assertThat(sources).hasSizeGreaterThan(40);
			assertThat(sources.stream().flatMap(PublicApiTests::lines).filter(ROOM.asMatchPredicate())).isEmpty();
		}
	}

	private static Stream<String> lines(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
