package dev.eventing.samples.dashboard.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PageTests {

	@ParameterizedTest
	@ValueSource(strings = { "index.html", "board.css", "board.js", "favicon.svg" })
	void needsNothingFromElsewhere(String file) throws IOException {
		try (InputStream content = Objects.requireNonNull(PageTests.class.getResourceAsStream("/static/" + file))) {
			String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
			// The name of a vocabulary, which nothing loads.
			assertThat(text.replace("http://www.w3.org/2000/svg", "")).doesNotContain("://", "src=\"//", "@import");
			assertThat(text).as("the policy of the page forbids it").doesNotContain("style=\"", " onclick", "data:");
		}
	}

}
