package dev.eventing.sdk.event;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventTests {

	private static final TenantId ACME = TenantId.of("acme");

	private static EventBuilder<Placed> placed() {
		return Event.builder(ACME, new Placed("order-x"));
	}

	@Test
	void showsNoControlCharacterThatCouldForgeALineOfALog() {
		Event<?> event = placed().type("order\n12:00 ERROR forged \u001b[31m").build();
		assertThat(event.toString()).contains("order\\u000a12:00 ERROR forged \\u001b[31m")
			.doesNotContain("\n", "\u001b");
		RawEvent raw = new RawEvent("a\u001bb", EventHeaders.builder().add("c\nd", "e").build(), new byte[0]);
		assertThat(raw.toString()).doesNotContain("\n", "\u001b").contains("a\\u001bb", "c\\u000ad");
	}

	@Test
	void keepsOrderByTheKeyElseByTheStreamElseByNothing() {
		assertThat(placed().streamId("s").key("k").build().orderingKey()).isEqualTo("k");
		assertThat(placed().streamId("s").build().orderingKey()).isEqualTo("s");
		assertThat(placed().build().orderingKey()).isNull();
	}

	@Test
	void keepsEverythingButThePayloadWhenMapped() {
		Event<Placed> event = placed().streamId("s").streamVersion(3L).correlationId("c").header("a", "b").build();
		Event<String> mapped = event.map(Placed::orderId);
		assertThat(mapped.payload()).isEqualTo("order-x");
		assertThat(mapped.map(Placed::new)).isEqualTo(event);
	}

	@Test
	void showsNeitherPayloadNorHeaderValues() {
		assertThat(placed().header("authorization", "secret").build().toString()).contains("order.placed", "acme")
			.doesNotContain("order-x", "secret");
	}

	@Nested
	class WithoutSettings {

		@Test
		void hasAnAscendingIdATypeASourceAndTheClocksTime() {
			Instant now = Instant.parse("2026-01-31T12:00:00Z");
			EventBuilder<Placed> builder = placed().clock(Clock.fixed(now, ZoneOffset.UTC));
			Event<Placed> first = builder.build();
			assertThat(first.id().version()).isEqualTo(7);
			assertThat(first.type()).isEqualTo("order.placed");
			assertThat(first.source()).isEqualTo("eventing-sdk");
			assertThat(first.time()).isEqualTo(now);
			assertThat(builder.build().id()).isGreaterThan(first.id());
		}

	}

	@Nested
	class WithSettings {

		@Test
		void saysWhatWasSet() {
			UUID id = UUID.randomUUID();
			Event<Placed> event = placed().id(id)
				.type("t")
				.source("/s")
				.time(Instant.EPOCH)
				.streamId("st")
				.streamVersion(7L)
				.key("k")
				.correlationId("co")
				.causationId("ca")
				.header("traceparent", "00-1")
				.build();
			assertThat(event.id()).isEqualTo(id);
			assertThat(event.type()).isEqualTo("t");
			assertThat(event.tenantId()).isEqualTo(ACME);
			assertThat(event.source()).isEqualTo("/s");
			assertThat(event.time()).isEqualTo(Instant.EPOCH);
			assertThat(event.streamId()).isEqualTo("st");
			assertThat(event.streamVersion()).isEqualTo(7L);
			assertThat(event.key()).isEqualTo("k");
			assertThat(event.correlationId()).isEqualTo("co");
			assertThat(event.causationId()).isEqualTo("ca");
			assertThat(event.headers()).isEqualTo(EventHeaders.builder().add("traceparent", "00-1").build());
			assertThat(event.payload()).isEqualTo(new Placed("order-x"));
			assertThat(event.toBuilder().build()).isEqualTo(event);
			for (Event<Placed> other : List.of(event.toBuilder().id(UUID.randomUUID()).build(),
					event.toBuilder().type("o").build(), event.toBuilder().source("o").build(),
					event.toBuilder().time(Instant.MAX).build(), event.toBuilder().streamId("o").build(),
					event.toBuilder().streamVersion(8L).build(), event.toBuilder().key("o").build(),
					event.toBuilder().correlationId("o").build(), event.toBuilder().causationId("o").build(),
					event.toBuilder().header("o", "o").build(), event.map((payload) -> new Placed("other")))) {
				assertThat(other).isNotEqualTo(event);
			}
		}

		@Test
		void takesAnEmptyTextForNone() {
			Event<Placed> event = placed().streamId("").key("").correlationId("").causationId("").build();
			assertThat(event.streamId()).isNull();
			assertThat(event.key()).isNull();
			assertThat(event.correlationId()).isNull();
			assertThat(event.causationId()).isNull();
		}

		@ParameterizedTest
		@ValueSource(strings = { "a\u0000b", "\ud83d", "\ude00\ud83d", "x\ud83d" })
		void refusesTextThatPostgresCannotStore(String text) {
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().key(text).build())
				.withMessageStartingWith("The event's key '");
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().type(text).build());
		}

		@Test
		void refusesTheFirstOfSeveralInvalidTexts() {
			EventBuilder<Placed> builder = placed().causationId("\u0000").correlationId("\u0000").key("\u0000");
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(builder::build)
				.withMessageStartingWith("The event's key '");
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(builder.source(" ")::build)
				.withMessageStartingWith("The event's source '");
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(builder.type("\u0000")::build)
				.withMessageStartingWith("The event's type '");
		}

		@Test
		void refusesTextThatFitsNoIndex() {
			assertThat(placed().streamId("\uffff".repeat(512)).build().streamId()).hasSize(512);
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> placed().streamId("x".repeat(513)).build())
				.withMessageContaining("is 513 characters long. Consider at most 512.");
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "\t" })
		void refusesABlankTypeOrSource(String text) {
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().type(text).build());
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().source(text).build());
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "a b", "a:b", "a\r\nb", "\u00e4" })
		void refusesHeaderNamesThatCannotStandOnTheWire(String name) {
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().header(name, "v"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "a\r\nNats-Msg-Id: x", "a\nb", "a\rb", "\u0000", "\u007f", "\u00e4" })
		void refusesHeaderValuesThatCannotStandOnTheWireWithoutShowingThem(String value) {
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> placed().header("name", value))
				.satisfies((ex) -> assertThat(ex.getMessage()).contains("'name'").doesNotContain(value));
		}

	}

	@EventType("order.placed")
	record Placed(String orderId) {

	}

}
