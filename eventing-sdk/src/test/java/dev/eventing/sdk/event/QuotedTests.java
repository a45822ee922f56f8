package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QuotedTests {

	@Test
	void leavesPrintableTextAsItIs() {
		assertThat(Quoted.of("order.plac\u00e9d \ud83d\ude00")).isEqualTo("'order.plac\u00e9d \ud83d\ude00'");
	}

	@Test
	void escapesWhatCouldForgeALine() {
		assertThat(Quoted.of("a\r\nb\u2028\u0085")).isEqualTo("'a\\u000d\\u000ab\\u2028\\u0085'");
	}

	@Test
	void escapesHalfASurrogatePair() {
		assertThat(Quoted.of("\ud83d-\ude00")).isEqualTo("'\\ud83d-\\ude00'");
	}

	@Test
	void cutsLongTextWithoutCuttingACharacterInHalf() {
		assertThat(Quoted.of("x".repeat(80))).isEqualTo("'" + "x".repeat(80) + "'");
		assertThat(Quoted.of("x".repeat(79) + "\ud83d\ude00")).isEqualTo("'" + "x".repeat(79) + "\\ud83d...'");
	}

}
