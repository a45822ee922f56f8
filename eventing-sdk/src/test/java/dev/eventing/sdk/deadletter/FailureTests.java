package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailureTests {

	@Test
	void tellsTheErrorWithItsCauses() {
		Failure failure = Failure.of(new IllegalStateException("no stock", new ArithmeticException("below zero")));
		assertThat(failure.errorClass()).isEqualTo("java.lang.IllegalStateException");
		assertThat(failure.message()).isEqualTo("no stock");
		assertThat(failure.stackTrace()).contains("no stock", "FailureTests",
				"Caused by: java.lang.ArithmeticException: below zero");
	}

	@Test
	void toleratesAnErrorWithoutMessage() {
		assertThat(Failure.of(new IllegalStateException()).message()).isNull();
	}

	@Test
	void replacesCharactersPostgresqlCannotHold() {
		Failure failure = Failure.of(new IllegalStateException("a\u0000b"));
		assertThat(failure.message()).isEqualTo("a\uFFFDb");
		assertThat(failure.stackTrace()).contains("a\uFFFDb").doesNotContain("\u0000");
	}

	@Test
	void cutsLongTextsAndSaysSo() {
		Failure failure = Failure.of(new IllegalStateException("x".repeat(100_000)));
		assertThat(failure.message()).hasSize(Failure.MAX_MESSAGE).startsWith("xxx").endsWith("x... (cut)");
		assertThat(failure.stackTrace()).hasSize(Failure.MAX_STACK_TRACE).endsWith("x... (cut)");
		String fits = "y".repeat(Failure.MAX_MESSAGE);
		assertThat(new Failure("E", fits, null).message()).isEqualTo(fits);
	}

	@Test
	void neverCutsACharacterInTwo() {
		String message = new Failure("E", "x" + "\uD83D\uDE00".repeat(Failure.MAX_MESSAGE), null).message();
		String other = new Failure("E", "\uD83D\uDE00".repeat(Failure.MAX_MESSAGE), null).message();
		assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(message)).isTrue();
		assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(other)).isTrue();
	}

}
