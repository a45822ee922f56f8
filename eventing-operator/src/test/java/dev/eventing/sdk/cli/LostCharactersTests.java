package dev.eventing.sdk.cli;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class LostCharactersTests {

	private static final byte[] COMMAND_LINE = "java\0-jar\0/opt/\u00E4/eventing-cli.jar\0erase\0--stream\0kunde-\u00E4\0"
		.getBytes(StandardCharsets.UTF_8);

	@Test
	void namesAnArgumentThatTheLocaleDoesNotHave() {
		assertThat(LostCharacters.describe(COMMAND_LINE, 3, US_ASCII))
			.isEqualTo("The argument 'kunde-\u00E4' has characters that the locale of this process does not have: its"
					+ " encoding is US-ASCII. Consider the environment variable LC_ALL=C.UTF-8, or another LANG.");
	}

	@Test
	void looksAtTheArgumentsOfTheProgramAlone() {
		byte[] list = "java\0-jar\0/opt/\u00E4/eventing-cli.jar\0dlq\0list\0".getBytes(StandardCharsets.UTF_8);
		assertThat(LostCharacters.describe(list, 2, US_ASCII)).isNull();
		assertThat(LostCharacters.describe(list, 0, US_ASCII)).isNull();
	}

	@Test
	void saysNothingWhereTheLocaleHasThem() {
		assertThat(LostCharacters.describe(COMMAND_LINE, 3, UTF_8)).isNull();
		assertThat(LostCharacters.describe(COMMAND_LINE, 3, ISO_8859_1)).isNull();
	}

	@Test
	void namesBytesThatAreNoText() {
		assertThat(LostCharacters.describe(new byte[] { 'a', 0, (byte) 0xC3, 0 }, 1, UTF_8))
			.startsWith("The argument '\uFFFD' has characters that the locale of this process does not have");
	}

}
