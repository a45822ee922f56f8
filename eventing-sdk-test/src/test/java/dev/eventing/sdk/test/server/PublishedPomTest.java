package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application outside of this repository gets the programs of PostgreSQL that the
 * tests here run with, by the published pom alone.
 */
@EnabledIf("isBuiltByMaven")
class PublishedPomTest {

	/** Maven writes it before the tests run. */
	private static final Path POM = Path.of(".flattened-pom.xml");

	private static final Pattern PROGRAM = Pattern
		.compile("<dependency>\\s*<groupId>io\\.zonky\\.test\\.postgres</groupId>(.*?)</dependency>", Pattern.DOTALL);

	static boolean isBuiltByMaven() {
		return Files.exists(POM);
	}

	@Test
	void namesTheProgramsOfEachSystemWithTheirVersion() throws IOException {
		List<String> programs = PROGRAM.matcher(Files.readString(POM))
			.results()
			.map((MatchResult found) -> found.group(1))
			.toList();
		assertThat(programs).hasSize(6)
			.allSatisfy((program) -> assertThat(program).containsPattern("<version>[0-9.]+</version>")
				.doesNotContain("<optional>true"));
		assertThat(String.join("", programs)).contains("-darwin-amd64<", "-darwin-arm64v8<", "-linux-amd64<",
				"-linux-amd64-alpine<", "-linux-arm64v8<", "-windows-amd64<");
	}

}
