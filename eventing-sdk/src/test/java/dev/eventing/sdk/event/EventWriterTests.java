package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventWriterTests {

	private static final UUID ID = UUID.fromString("0195f2c4-7b1a-7c3e-8f00-0123456789ab");

	private final EventWriter writer = new EventWriter(EventJson.mapper());

	private static EventBuilder<Placed> placed() {
		return Event.builder(TenantId.of("acme"), new Placed("42")).id(ID).time(Instant.EPOCH);
	}

	@Test
	void writesEveryAttributeAsAHeaderAndThePayloadAsTheBody() {
		RawEvent raw = this.writer.write("acme.order.placed",
				placed().streamId("Stra\u00dfe 1")
					.streamVersion(3L)
					.key("100%")
					.correlationId("co")
					.causationId("ca")
					.header("traceparent", "00-1")
					.build());
		assertThat(raw.subject()).isEqualTo("acme.order.placed");
		assertThat(raw.payload()).asString().isEqualTo("{\"orderId\":\"42\"}");
		assertThat(raw.headers()).isEqualTo(EventHeaders.builder()
			.add("ce-specversion", "1.0")
			.add("ce-id", ID.toString())
			.add("ce-type", "order.placed")
			.add("ce-source", "eventing-sdk")
			.add("ce-time", "1970-01-01T00:00:00Z")
			.add("ce-tenantid", "acme")
			.add("ce-subject", "Stra%C3%9Fe%201")
			.add("ce-sequence", "3")
			.add("ce-partitionkey", "100%25")
			.add("ce-correlationid", "co")
			.add("ce-causationid", "ca")
			.add("traceparent", "00-1")
			.add("Content-Type", "application/json")
			.add("Nats-Msg-Id", "acme:" + ID)
			.build());
	}

	@Test
	void leavesOutWhatTheEventDoesNotSay() {
		assertThat(this.writer.write("a", placed().build()).headers().names()).containsExactlyInAnyOrder(
				"ce-specversion", "ce-id", "ce-type", "ce-source", "ce-time", "ce-tenantid", "Content-Type",
				"Nats-Msg-Id");
	}

	@Test
	void passesNoHeaderOnThatIsAnAttributeOrAnOrderToTheServer() {
		EventHeaders headers = this.writer
			.write("a",
					placed().header("CE-TenantId", "other")
						.header("ce-sequence", "9")
						.header("nats-rollup", "all")
						.header("Nats-Expected-Stream", "X")
						.header("content-type", "text/plain")
						.header("x-kept", "1")
						.build())
			.headers();
		assertThat(headers.all("ce-tenantid")).containsExactly("acme");
		assertThat(headers.all("content-type")).containsExactly("application/json");
		assertThat(headers.first("ce-sequence")).isNull();
		assertThat(headers.first("Nats-Rollup")).isNull();
		assertThat(headers.first("Nats-Expected-Stream")).isNull();
		assertThat(headers.first("x-kept")).isEqualTo("1");
	}

	@Test
	void refusesHeadersThatWouldStartAnother() {
		Event<Placed> event = placed().build();
		for (EventHeaders headers : new EventHeaders[] {
				EventHeaders.builder().add("x", "1\r\nNats-Rollup: all").build(),
				EventHeaders.builder().add("x\r\nNats-Rollup", "all").build() }) {
			Event<Placed> injected = event.toBuilder().headers(headers).build();
			assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> this.writer.write("a", injected));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a\r\nPUB x", "a.*", ">", "{tenant}.a" })
	void refusesSubjectsNothingCanBePublishedTo(String subject) {
		Event<Placed> event = placed().build();
		assertThatExceptionOfType(InvalidSubjectException.class).isThrownBy(() -> this.writer.write(subject, event));
	}

	@Test
	void tellsNothingOfAPayloadItCannotWrite() {
		Event<Unwritable> event = Event.builder(TenantId.of("acme"), new Unwritable()).build();
		assertThatExceptionOfType(PayloadWritingException.class).isThrownBy(() -> this.writer.write("a", event))
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("Unwritable", "at value").doesNotContain("SECRET"));
	}

	@Test
	void keepsTenantsApartInMessageIds() {
		assertThat(EventWriter.messageId(TenantId.of("a"), ID)).isEqualTo("a:" + ID)
			.isNotEqualTo(EventWriter.messageId(TenantId.of("b"), ID));
	}

	@EventType("order.placed")
	record Placed(String orderId) {

	}

	static final class Unwritable {

		@SuppressWarnings("DoNotCallSuggester")
		public String getValue() {
			throw new IllegalStateException("SECRET");
		}

	}

}
