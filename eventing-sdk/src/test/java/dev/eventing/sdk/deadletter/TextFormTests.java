package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TextFormTests {

	private static final String EMOJI = "\uD83D\uDE00";

	private static final byte[] PAYLOAD = ("{\"a\":\"" + EMOJI + "\"}").getBytes(StandardCharsets.UTF_8);

	private static final Instant AT = Instant.parse("2026-01-31T12:00:00Z");

	private final TextForm refused = new TextForm("22P05", true);

	private final TextForm without = new TextForm("54000", false);

	private static NewDeadLetter letter(String text, @Nullable Failure failure) {
		EventHeaders headers = EventHeaders.builder().add("ce-subject", text).add(text, "100% \t").build();
		return new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(TenantId.of("acme"), new UUID(0, 1), text, text),
				new RawEvent("orders." + text, headers, PAYLOAD), new EventPlace("ORDERS", 1, AT),
				new LetterCause("NOT_RETRYABLE", failure, 1, AT), ParkingKey.of(text), Duration.ofSeconds(1));
	}

	@Test
	void isWhatItIsUnlessTheDatabaseRefusesIt() {
		NewDeadLetter letter = letter(EMOJI, new Failure("E", EMOJI, EMOJI));
		assertThat(TextForm.WHOLE.letter(letter)).isSameAs(letter);
		assertThat(TextForm.WHOLE.failure(new Failure("E", EMOJI, EMOJI))).isEqualTo(new Failure("E", EMOJI, EMOJI));
		assertThat(TextForm.WHOLE.text(EMOJI)).isEqualTo(EMOJI);
	}

	@Test
	void hasNoCharacterThatAnEncodingLacksInAnyText() {
		NewDeadLetter letter = this.refused.letter(letter("a" + EMOJI, new Failure("E" + EMOJI, EMOJI, EMOJI)));
		assertThat(letter.identity().type()).isEqualTo("a%F0%9F%98%80");
		assertThat(letter.identity().orderingKey()).isEqualTo("a%F0%9F%98%80");
		assertThat(letter.event().subject()).isEqualTo("orders.a%F0%9F%98%80");
		assertThat(letter.event().headers().first("ce-subject")).isEqualTo("a%F0%9F%98%80");
		assertThat(letter.event().headers().first("a%F0%9F%98%80")).isEqualTo("100% \t");
		assertThat(letter.cause().failure()).isNotNull().satisfies((failure) -> {
			assertThat(failure.errorClass()).isEqualTo("E%F0%9F%98%80");
			assertThat(failure.message()).contains("The database refused a text (SQL state 22P05)").isASCII();
			assertThat(failure.stackTrace()).isNull();
		});
		assertThat(letter.event().payload()).isEqualTo(PAYLOAD);
		assertThat(letter.parkingKey()).isASCII();
		assertThat(letter.cause().attempts()).isOne();
		assertThat(letter.redriveAfter()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void isAsShortAsAnIndexNeedsItButForSubjectAndHeaders() {
		String text = "x".repeat(5000);
		for (TextForm form : new TextForm[] { this.without, this.refused }) {
			NewDeadLetter letter = form.letter(letter(text, null));
			assertThat(letter.identity().type()).hasSize(ParkingKey.MAX_LENGTH).endsWith("... (cut)");
			assertThat(letter.identity().orderingKey()).hasSize(ParkingKey.MAX_LENGTH);
			assertThat(letter.event().subject()).isEqualTo("orders." + text);
			assertThat(letter.event().headers().first("ce-subject")).isEqualTo(text);
		}
	}

	/** A redrive finds the handler by the subject. */
	@Test
	void keepsWhatARedriveReadsWhileItIsEnoughToLeaveTheTextsOfTheErrorOut() {
		NewDeadLetter letter = letter("Er\u00f6ffnet" + EMOJI, new Failure("E", "message", "trace"));
		NewDeadLetter without = this.without.letter(letter);
		assertThat(without.event()).isSameAs(letter.event());
		assertThat(without.identity()).isEqualTo(letter.identity());
		assertThat(without.cause().failure()).isNotNull().satisfies((failure) -> {
			assertThat(failure.message()).contains("(SQL state 54000)").doesNotContain("percent-encoded");
			assertThat(failure.stackTrace()).isNull();
		});
	}

	@Test
	void areThree() {
		TextForm second = TextForm.WHOLE.next("54000");
		assertThat(second).isEqualTo(this.without);
		TextForm third = this.without.next("22P05");
		assertThat(third).isEqualTo(this.refused);
		assertThat(this.refused.next("22P05")).isNull();
	}

	@Test
	void saysThatItIsOtherThanItWasWithoutAFailure() {
		assertThat(this.refused.letter(letter(EMOJI, null)).cause().failure()).isNotNull()
			.extracting(Failure::errorClass)
			.isEqualTo(TextForm.CHANGED);
		NewDeadLetter plain = letter("plain", null);
		assertThat(this.refused.letter(plain)).isEqualTo(plain);
	}

	@Test
	void hasNoHalfOfASurrogatePairAndNoNul() {
		assertThat(this.refused.text("a\uD83Db\u0000")).isEqualTo("a?b%00");
	}

}
