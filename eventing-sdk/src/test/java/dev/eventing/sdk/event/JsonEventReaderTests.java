package dev.eventing.sdk.event;

import java.util.Map;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Events whose attributes are in the JSON of the body. */
class JsonEventReaderTests extends EventReaderSetup {

	@Nested
	class InStructuredMode {

		private static final String EVENT = "\"specversion\":\"1.0\",\"id\":\"" + ID
				+ "\",\"type\":\"order.placed\",\"source\":\"/orders\",\"tenantid\":\"acme\"";

		private EventHeaders.Builder structured() {
			return EventHeaders.builder().add("content-type", "Application/CloudEvents+JSON; charset=utf-8");
		}

		@Test
		void readsEveryAttribute() {
			Event<UnboundPayload> event = readable(structured(), "{" + EVENT
					+ ",\"time\":\"2026-01-01T00:00:00Z\",\"subject\":\"100%25\",\"sequence\":12,\"partitionkey\":\"k\","
					+ "\"correlationid\":\"co\",\"causationid\":\"ca\",\"traceparent\":\"00-1\",\"tracestate\":\"a\\nb\","
					+ "\"data\":{\"amount\":1.10,\"big\":12345678901234567890.123456789}}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(event.time()).isEqualTo("2026-01-01T00:00:00Z");
			assertThat(event.streamId()).isEqualTo("100%25");
			assertThat(event.streamVersion()).isEqualTo(12);
			assertThat(event.key()).isEqualTo("k");
			assertThat(event.correlationId()).isEqualTo("co");
			assertThat(event.causationId()).isEqualTo("ca");
			assertThat(event.headers().first("traceparent")).isEqualTo("00-1");
			assertThat(event.headers().first("tracestate")).isNull();
			assertThat(event.payload().bytes()).asString()
				.isEqualTo("{\"amount\":1.10,\"big\":12345678901234567890.123456789}");
		}

		@Test
		void readsDataInBase64() {
			assertThat(readable(structured(), "{" + EVENT + ",\"data_base64\":\"eyJhIjoxfQ==\"}").payload().bytes())
				.asString()
				.isEqualTo("{\"a\":1}");
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "\"time\":1|ce-time|1", "\"correlationid\":true|ce-correlationid|true",
						"\"sequence\":1e400|ce-sequence|1E+400", "\"sequence\":\"x\"|ce-sequence|x",
						"\"causationid\":[\"a\"]|ce-causationid|[\"a\"]" })
		void leavesOutWhatTheEventDoesNotDependOn(String attribute, String header, String original) {
			Event<UnboundPayload> event = readable(structured(), "{" + EVENT + "," + attribute + "}");
			assertThat(event.headers().first(header)).isEqualTo(original);
			assertThat(event.streamVersion()).isNull();
			assertThat(event.time()).isEqualTo(RECEIVED);
		}

		@ParameterizedTest
		@ValueSource(strings = { "\"data_base64\":\"SECRET!\"", "\"data_base64\":1",
				"\"data\":1,\"data_base64\":\"eyJhIjoxfQ==\"", "\"partitionkey\":{}", "\"subject\":[]" })
		void refusesMalformedAttributes(String attribute) {
			Unreadable unreadable = unreadable(structured(), "{" + EVENT + "," + attribute + "}");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.eventId()).hasToString(ID);
		}

		/** The id is a UUID, which needs no source. */
		@ParameterizedTest
		@CsvSource(delimiter = '|', value = { "{}|unknown", "true|unknown", "5|5", "\"a\\u0000b\"|a\ufffdb~",
				"\"a\\ud800\"|a\ufffd~", "\"not a uri\"|not a uri" })
		void takesAnySource(String source, String taken) {
			Event<UnboundPayload> event = readable(structured(),
					"{" + EVENT.replace("\"/orders\"", source) + ",\"data\":1}");
			assertThat(event.source()).startsWith(taken);
			event.requireValid();
		}

		@ParameterizedTest
		@ValueSource(strings = { "1.0", "1", "\"latest\"", "[]", "null" })
		void takesAnyFormOfItsOwnVersion(String version) {
			assertThat(readable(structured(), "{" + EVENT.replace("\"1.0\"", version) + "}").id()).hasToString(ID);
		}

		@ParameterizedTest
		@ValueSource(strings = { "\"1.0\"", "1.0", "true", "{\"a\":1}", "\"a\\u0000\"", "-1" })
		void takesAnyVersionOfATypeWithoutVersions(String version) {
			Event<UnboundPayload> event = readable(structured(),
					"{" + EVENT + ",\"dataversion\":" + version + ",\"data\":{\"a\":1}}");
			assertThat(event.payload().<Object>bind(Map.class)).isEqualTo(Map.of("a", 1));
			assertThat(event.typeVersion()).isOne();
		}

		@Test
		void cutsAStreamIdThatCannotBeStored() {
			Event<UnboundPayload> event = readable(structured(), "{" + EVENT + ",\"subject\":\"\\ud800\"}");
			assertThat(event.streamId()).startsWith("\ufffd~");
			event.requireValid();
		}

		@Test
		void hasAnEmptyPayloadWithoutData() {
			assertThat(readable(structured(), "{" + EVENT + "}").payload().bytes()).isEmpty();
		}

		@ParameterizedTest
		@ValueSource(strings = { "application/cloudevents", " application/cloudevents ; a=b",
				"APPLICATION/CLOUDEVENTS+json;", "application/cloudevents+json ;charset=utf-8" })
		void isRecognisedByTheContentTypeInAnyCase(String contentType) {
			assertThat(readable(structured().set("Content-Type", contentType), "{" + EVENT + "}").id()).hasToString(ID);
		}

		/** Dapr and the first binding for NATS set no content type of CloudEvents. */
		@ParameterizedTest
		@ValueSource(strings = { "", "application/json", "text/plain" })
		void isRecognisedByItsVersionWhereNoHeaderIsOfAnEvent(String contentType) {
			EventHeaders.Builder headers = EventHeaders.builder().add("Content-Type", contentType);
			Event<UnboundPayload> event = readable(headers, "{" + EVENT + ",\"data\":{\"a\":1}}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.type()).isEqualTo("order.placed");
			assertThat(event.source()).isEqualTo("/orders");
			assertThat(event.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(event.payload().bytes()).asString().isEqualTo("{\"a\":1}");
		}

		@ParameterizedTest
		@ValueSource(strings = { "application/cloudevents+avro", "application/cloudevents-batch+json" })
		void refusesOtherFormats(String contentType) {
			Unreadable unreadable = unreadable(structured().set("Content-Type", contentType), "{" + EVENT + "}");
			assertThat(unreadable.reason()).isEqualTo(Reason.UNSUPPORTED);
			assertThat(unreadable.detail()).contains(contentType);
		}

		@Test
		void comesBeforeHeadersOfTheBinaryMode() {
			assertThat(readable(structured().add("ce-id", "other"), "{" + EVENT + "}").id()).hasToString(ID);
		}

	}

	@Nested
	class InAnEnvelope {

		private static final String EVENT = "\"eventId\":\"" + ID
				+ "\",\"eventType\":\"order.placed\",\"tenantId\":\"acme\"";

		@ParameterizedTest
		@ValueSource(strings = { "1E+2147483648", "1e-99999999999" })
		void saysWhoseEventHasANumberBeyondAllNumbers(String number) {
			Unreadable unreadable = unreadable(EventHeaders.builder(),
					"{" + EVENT + ",\"payload\":{\"a\":" + number + "}}");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_NUMBER);
			assertThat(unreadable.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(unreadable.eventId()).hasToString(ID);
		}

		@Test
		void readsEveryAttribute() {
			Event<UnboundPayload> event = readable(EventHeaders.builder(), "{" + EVENT
					+ ",\"timestamp\":\"2026-01-01T00:00:00Z\",\"payload\":{\"a\":1},\"metadata\":{\"correlationId\":\"co\","
					+ "\"causationId\":7,\"aggregateId\":42,\"sequence\":\"12\",\"key\":\"k\",\"eaf.tenant.id\":\"other\"}}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.type()).isEqualTo("order.placed");
			assertThat(event.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(event.time()).isEqualTo("2026-01-01T00:00:00Z");
			assertThat(event.correlationId()).isEqualTo("co");
			assertThat(event.causationId()).isEqualTo("7");
			assertThat(event.streamId()).isEqualTo("42");
			assertThat(event.streamVersion()).isEqualTo(12);
			assertThat(event.key()).isEqualTo("k");
			assertThat(event.payload().bytes()).asString().isEqualTo("{\"a\":1}");
		}

		@Test
		void prefersTheNamesOfTheSdk() {
			Event<UnboundPayload> event = readable(EventHeaders.builder(),
					"{" + EVENT + ",\"metadata\":{\"aggregateId\":\"a\",\"streamId\":\"s\",\"sequence\":1,"
							+ "\"streamVersion\":2,\"key\":\"k\",\"partitionKey\":\"p\"}}");
			assertThat(event.streamId()).isEqualTo("s");
			assertThat(event.streamVersion()).isEqualTo(2);
			assertThat(event.key()).isEqualTo("p");
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "{", "[]", "1", "\"SECRET\"", "null", "{\"eventId\":SECRET}", "{} {}",
				"\uFEFF", "{\"SECRET\":1,\"SECRET\":2}", "\u0000" })
		void refusesWhatIsNoJsonObject(String body) {
			assertThat(unreadable(EventHeaders.builder(), body).reason()).isEqualTo(Reason.NOT_JSON);
		}

		@Test
		void refusesDepthAndLengthBeyondTheLimits() {
			for (String body : new String[] { "[".repeat(1_000_000), "{\"a\":".repeat(1_000_000),
					"{\"a\":" + "9".repeat(1_000_000) + "}", "{\"" + "a".repeat(100_000) + "\":1}" }) {
				assertThat(unreadable(EventHeaders.builder(), body).reason()).isEqualTo(Reason.NOT_JSON);
			}
		}

		@Test
		void refusesBytesThatAreNoUtf8() {
			byte[] body = { '{', '"', (byte) 0xC3, '"', ':', '1', '}' };
			assertThat(JsonEventReaderTests.this.reader.read(new RawEvent("s", EventHeaders.empty(), body),
					(type) -> null, RECEIVED))
				.isInstanceOfSatisfying(Unreadable.class,
						(unreadable) -> assertThat(unreadable.reason()).isEqualTo(Reason.NOT_JSON));
		}

		@Test
		void refusesATenantGivenTwice() {
			assertThat(unreadable(EventHeaders.builder(), "{" + EVENT + ",\"tenantId\":\"other\"}").reason())
				.isEqualTo(Reason.NOT_JSON);
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "\"timestamp\":1700000000|ce-time|1700000000",
						"\"timestamp\":\"31.1.2026\"|ce-time|31.1.2026",
						"\"metadata\":{\"sequence\":99999999999999999999}|ce-sequence|99999999999999999999",
						"\"metadata\":{\"correlationId\":true}|ce-correlationid|true" })
		void leavesOutWhatTheEventDoesNotDependOn(String attribute, String header, String original) {
			Event<UnboundPayload> event = readable(EventHeaders.builder(), "{" + EVENT + "," + attribute + "}");
			assertThat(event.headers().first(header)).isEqualTo(original);
			assertThat(event.streamVersion()).isNull();
			assertThat(event.correlationId()).isNull();
			assertThat(event.time()).isEqualTo(RECEIVED);
		}

		@ParameterizedTest
		@ValueSource(strings = { "\"metadata\":[1]", "\"metadata\":\"SECRET\"", "\"metadata\":{\"key\":false}" })
		void refusesMalformedAttributes(String attribute) {
			assertThat(unreadable(EventHeaders.builder(), "{" + EVENT + "," + attribute + "}").reason())
				.isEqualTo(Reason.INVALID_HEADER);
		}

		/** Some languages write an empty list for an empty object. */
		@ParameterizedTest
		@ValueSource(strings = { "[]", "\"\"", "null", "{}" })
		void readsEmptyMetadata(String metadata) {
			Event<UnboundPayload> event = readable(EventHeaders.builder(),
					"{" + EVENT + ",\"metadata\":" + metadata + "}");
			assertThat(event.orderingKey()).isNull();
		}

		@Test
		void isNoCloudEventIfItHasAnIdOfAnEnvelope() {
			Event<UnboundPayload> event = readable(EventHeaders.builder(),
					"{" + EVENT + ",\"specversion\":\"1.0\",\"id\":\"other\",\"payload\":{\"a\":1}}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.payload().bytes()).asString().isEqualTo("{\"a\":1}");
		}

		@Test
		void cannotDoWithoutAnIdOrType() {
			assertThat(unreadable(EventHeaders.builder(), "{\"eventType\":\"t\",\"tenantId\":\"acme\"}"))
				.satisfies((unreadable) -> {
					assertThat(unreadable.reason()).isEqualTo(Reason.NO_ID);
					assertThat(unreadable.type()).isEqualTo("t");
				});
			assertThat(unreadable(EventHeaders.builder(), "{\"eventId\":\"1\",\"tenantId\":\"acme\"}").reason())
				.isEqualTo(Reason.NO_TYPE);
			assertThat(unreadable(EventHeaders.builder(), "{\"eventId\":1,\"tenantId\":\"acme\"}").reason())
				.isEqualTo(Reason.INVALID_HEADER);
		}

		@ParameterizedTest
		@ValueSource(strings = { "1", "true", "[]", "[\"acme\"]", "{}", "\"\"", "\"a.b\"", "1.5" })
		void refusesATenantThatIsNone(String tenant) {
			Unreadable unreadable = unreadable(EventHeaders.builder(),
					"{\"eventId\":\"" + ID + "\",\"eventType\":\"t\",\"tenantId\":" + tenant + "}", "acme");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_TENANT);
			assertThat(unreadable.tenantId()).isNull();
		}

		@Test
		void takesTheTenantFromTheSubjectWhereItNamesNone() {
			String body = "{\"eventId\":\"" + ID + "\",\"eventType\":\"t\",\"tenantId\":null}";
			assertThat(read(EventHeaders.builder(), body, "acme")).isInstanceOf(Readable.class);
			assertThat(unreadable(EventHeaders.builder(), body).reason()).isEqualTo(Reason.NO_TENANT);
		}

		@Test
		void agreesWithSubjectAndHeader() {
			assertThat(read(EventHeaders.builder().add("ce-tenantid", "acme"), "{" + EVENT + "}", "acme"))
				.isInstanceOf(Readable.class);
			assertThat(
					unreadable(EventHeaders.builder().add("ce-tenantid", "other"), "{" + EVENT + "}", "acme").reason())
				.isEqualTo(Reason.TENANT_MISMATCH);
			assertThat(unreadable(EventHeaders.builder(), "{" + EVENT + "}", "other").reason())
				.isEqualTo(Reason.TENANT_MISMATCH);
		}

	}

}
