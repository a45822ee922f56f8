package dev.eventing.sdk.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class EventReaderTests {

	private static final Instant RECEIVED = Instant.parse("2026-01-31T12:00:00Z");

	private static final String ID = "0195f2c4-7b1a-7c3e-8f00-0123456789ab";

	private final EventReader reader = new EventReader(EventJson.mapper());

	private static EventHeaders.Builder binary() {
		return EventHeaders.builder()
			.add("ce-specversion", "1.0")
			.add("ce-id", ID)
			.add("ce-type", "order.placed")
			.add("ce-source", "/orders")
			.add("ce-tenantid", "acme");
	}

	private ReadResult read(EventHeaders.Builder headers, String body, @Nullable String subjectTenant) {
		return this.reader.read(new RawEvent("order.placed", headers.build(), body.getBytes(StandardCharsets.UTF_8)),
				(type) -> subjectTenant, RECEIVED);
	}

	private Event<UnboundPayload> readable(EventHeaders.Builder headers, String body) {
		ReadResult result = read(headers, body, null);
		assertThat(result).isInstanceOf(Readable.class);
		return ((Readable) result).event();
	}

	private Unreadable unreadable(EventHeaders.Builder headers, String body, @Nullable String subjectTenant) {
		ReadResult result = read(headers, body, subjectTenant);
		assertThat(result).isInstanceOf(Unreadable.class);
		Unreadable unreadable = (Unreadable) result;
		assertThat(unreadable.detail()).contains("Consider ").doesNotContain("SECRET");
		return unreadable;
	}

	private Unreadable unreadable(EventHeaders.Builder headers, String body) {
		return unreadable(headers, body, null);
	}

	@Nested
	class InBinaryMode {

		@Test
		void readsEveryAttribute() {
			Event<UnboundPayload> event = readable(binary().add("ce-time", "2026-01-01T01:02:03.123456789+01:00")
				.add("ce-subject", "order-7")
				.add("ce-sequence", "12")
				.add("ce-partitionkey", "customer-3")
				.add("ce-correlationid", "co")
				.add("ce-causationid", "ca")
				.add("traceparent", "00-1"), "{\"a\":1}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.type()).isEqualTo("order.placed");
			assertThat(event.source()).isEqualTo("/orders");
			assertThat(event.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(event.time()).isEqualTo("2026-01-01T00:02:03.123456789Z");
			assertThat(event.streamId()).isEqualTo("order-7");
			assertThat(event.streamVersion()).isEqualTo(12);
			assertThat(event.key()).isEqualTo("customer-3");
			assertThat(event.correlationId()).isEqualTo("co");
			assertThat(event.causationId()).isEqualTo("ca");
			assertThat(event.headers().first("Traceparent")).isEqualTo("00-1");
			assertThat(event.payload().<Map<String, Object>>bind(Map.class)).isEqualTo(Map.of("a", 1));
		}

		@Test
		void findsHeadersInAnyCaseAndDecodesThemOnce() {
			Event<UnboundPayload> event = readable(
					binary().set("ce-id", null).add("CE-ID", ID).add("Ce-PartitionKey", " 100%2525%20%E2%82%AC "), "");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.key()).isEqualTo("100%25 \u20ac");
		}

		@Test
		void doesNotLookAtTheBody() {
			byte[] body = { (byte) 0xFF, '{' };
			ReadResult result = EventReaderTests.this.reader.read(new RawEvent("s", binary().build(), body),
					(type) -> null, RECEIVED);
			assertThat(result).isInstanceOfSatisfying(Readable.class,
					(readable) -> assertThat(readable.event().payload().bytes()).isSameAs(body));
		}

		@Test
		void takesTheTimeTheStreamStoredItWhereItSaysNone() {
			assertThat(readable(binary(), "").time()).isEqualTo(RECEIVED);
		}

		@Test
		void makesANameBasedUuidOfAnyOtherId() {
			for (String id : new String[] { "order-42", "1-1-1-1-1", "{" + ID + "}" }) {
				assertThat(readable(binary().set("ce-id", id), "").id()).isEqualTo(UuidV5.of("/orders", id));
			}
			assertThat(readable(binary().set("ce-id", "7").set("ce-source", null), "").id())
				.isEqualTo(UuidV5.of("unknown", "7"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "%20" })
		void cannotDoWithoutAnId(String id) {
			Unreadable unreadable = unreadable(binary().set("ce-id", id).add("ce-subject", "order-7"), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.NO_ID);
			assertThat(unreadable.eventId()).isNull();
			assertThat(unreadable.tenantId()).isEqualTo(TenantId.of("acme"));
			assertThat(unreadable.type()).isEqualTo("order.placed");
			assertThat(unreadable.key()).isEqualTo("order-7");
		}

		@Test
		void cannotDoWithoutAType() {
			Unreadable unreadable = unreadable(binary().set("ce-type", null).add("ce-partitionkey", "k"), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.NO_TYPE);
			assertThat(unreadable.eventId()).hasToString(ID);
			assertThat(unreadable.key()).isEqualTo("k");
		}

		@ParameterizedTest
		@CsvSource({ "ce-type,%C0%A0", "ce-type,100%", "ce-type,a%00b", "ce-type,%ZZ" })
		void refusesMalformedValuesAndQuotesThem(String header, String value) {
			Unreadable unreadable = unreadable(binary().set(header, value), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.detail()).contains("'" + header + "'");
			assertThat(unreadable.eventId()).hasToString(ID);
			assertThat(unreadable.tenantId()).isEqualTo(TenantId.of("acme"));
		}

		/** An event is not lost for what its handler need not ask for. */
		@ParameterizedTest
		@CsvSource({ "ce-time,yesterday", "ce-time,2026-01-01T00:00:00", "ce-time,2026-13-01T00:00:00Z", "ce-time,100%",
				"ce-sequence,1.0", "ce-sequence,9223372036854775808", "ce-sequence,0x1", "ce-sequence,\u0661",
				"ce-correlationid,a%00b", "ce-causationid,%ZZ", "ce-specversion,%ZZ", "ce-specversion,v1",
				"ce-dataversion,%ZZ", "ce-dataversion,two", "ce-dataversion,a%00b" })
		void leavesOutWhatTheEventDoesNotDependOn(String header, String value) {
			Event<UnboundPayload> event = readable(binary().set(header, value), "{}");
			assertThat(event.id()).hasToString(ID);
			assertThat(event.headers().first(header)).as("its original").isEqualTo(value);
			assertThat(event.time()).isEqualTo(RECEIVED);
			assertThat(event.streamVersion()).isNull();
			assertThat(event.correlationId()).isNull();
			assertThat(event.causationId()).isNull();
		}

		@Test
		void leavesOutACorrelationTooLongToBeStored() {
			Event<UnboundPayload> event = readable(binary().set("ce-correlationid", "x".repeat(513)), "{}");
			assertThat(event.correlationId()).isNull();
			assertThat(event.headers().first("ce-correlationid")).hasSize(513);
		}

		@Test
		void refusesATypeTooLongToBeStored() {
			Unreadable unreadable = unreadable(binary().set("ce-type", "x".repeat(513)).add("ce-subject", "a"), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.type()).isNull();
			assertThat(unreadable.key()).isEqualTo("a");
			assertThat(unreadable.detail()).hasSizeLessThan(300);
		}

		/** Any text names a source, a stream or a key. */
		@ParameterizedTest
		@ValueSource(strings = { "caf%zz", "100%", "%C0%A0", "not a uri", "::" })
		void takesTextsAsTheyAreWhereTheyAreNotEncoded(String text) {
			Event<UnboundPayload> event = readable(
					binary().set("ce-source", text).set("ce-subject", text).set("ce-partitionkey", text), "");
			assertThat(event.source()).isEqualTo(text);
			assertThat(event.streamId()).isEqualTo(text);
			assertThat(event.key()).isEqualTo(text);
		}

		@Test
		void cutsTextsThatCannotBeStoredSoThatTheyStayDifferent() {
			String longest = "https://shop.example/" + "x".repeat(600);
			Event<UnboundPayload> event = readable(
					binary().set("ce-source", longest).set("ce-subject", longest).set("ce-partitionkey", "a%00b"), "");
			event.requireValid();
			assertThat(event.source()).hasSize(512).startsWith("https://shop.example/xxx").isEqualTo(event.streamId());
			assertThat(event.key()).startsWith("a\ufffdb~").isNotEqualTo("a\ufffdb");
			assertThat(event.headers().first("ce-source")).isEqualTo(longest);
			assertThat(readable(binary().set("ce-subject", longest + "1"), "").streamId())
				.isNotEqualTo(event.streamId());
			assertThat(readable(binary().set("ce-subject", longest), "").streamId()).isEqualTo(event.streamId());
		}

		@Test
		void makesAnIdOfTheWholeSource() {
			String longest = "x".repeat(600);
			assertThat(readable(binary().set("ce-id", "7").set("ce-source", longest), "").id())
				.isEqualTo(UuidV5.of(longest, "7"));
			assertThat(readable(binary().set("ce-id", "7").set("ce-source", "caf%zz"), "").id())
				.isEqualTo(UuidV5.of("caf%zz", "7"));
		}

		@Test
		void needsOneSourceForAnIdThatIsNoUuidAlone() {
			EventHeaders.Builder two = binary().add("CE-Source", "/other");
			assertThat(readable(two, "").source()).isEqualTo("unknown");
			Unreadable unreadable = unreadable(two.set("ce-id", "7").add("ce-subject", "a"), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.detail()).contains("'ce-source' '/orders, /other' has more than one value");
			assertThat(unreadable.eventId()).isNull();
			assertThat(unreadable.key()).isEqualTo("a");
		}

		@Test
		void takesTheVersionsOfOthersForVersionOne() {
			for (String version : new String[] { "1.0", "2.5", "2026-01-31", "x".repeat(600) }) {
				assertThat(readable(binary().set("ce-dataversion", version), "{}").payload().<Object>bind(Map.class))
					.isEqualTo(Map.of());
			}
			assertThat(readable(binary().add("ce-dataversion", "2").add("ce-dataversion", "3"), "").typeVersion())
				.isOne();
		}

		@Test
		void refusesTwoIdsThatDifferButNotTheSameTwice() {
			Unreadable unreadable = unreadable(binary().add("CE-id", "other"), "");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.eventId()).isNull();
			assertThat(readable(binary().add("CE-id", ID), "").id()).hasToString(ID);
		}

		@Test
		void quotesAllValuesOfAnAttributeThatHasSeveral() {
			assertThat(unreadable(binary().add("CE-ID", "other").add("Ce-Id", ID), "").detail())
				.startsWith("The header 'ce-id' '" + ID + ", other, ")
				.endsWith("' has more than one value. Consider a single one.");
		}

		@Test
		void reportsTheFirstErrorInTheOrderOfTheAttributes() {
			EventHeaders.Builder late = binary().add("ce-partitionkey", "1")
				.add("ce-partitionkey", "2")
				.add("ce-subject", "1")
				.add("ce-subject", "2");
			assertThat(unreadable(late, "").detail())
				.startsWith("The header 'ce-subject' '1, 2' has more than one value");
			assertThat(unreadable(late.add("CE-Type", "other"), "").detail())
				.startsWith("The header 'ce-type' 'order.placed, other' has more than one value");
			assertThat(unreadable(late.set("ce-id", "%"), "").detail()).startsWith("The header 'ce-id' '%'");
		}

		@Test
		void readsTheAttributesBesideAnAttributeWithSeveralValues() {
			Unreadable unreadable = unreadable(
					binary().add("ce-partitionkey", "k").add("ce-subject", "1").add("ce-subject", "2").add("ce-id", ID),
					"");
			assertThat(unreadable.eventId()).hasToString(ID);
			assertThat(unreadable.key()).isEqualTo("k");
		}

		@Test
		void ignoresAttributesThatItDoesNotKnow() {
			Event<UnboundPayload> event = readable(
					binary().add("ce-dataschema", "%ZZ").add("CE-Unknown", "1").add("ce-unknown", "2").add("ce-", "3"),
					"");
			assertThat(event.headers().all("ce-unknown")).containsExactly("1", "2");
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "application/json", "application/cloudevent", "text/application/cloudevents",
				"; application/cloudevents", "appl\u0131cation/cloudevents" })
		void isInThisModeWhateverOtherContentTypeItHas(String contentType) {
			assertThat(readable(binary().add("Content-Type", contentType), "").id()).hasToString(ID);
		}

		@ParameterizedTest
		@ValueSource(strings = { "0.3", "2.0", "10" })
		void refusesOtherVersions(String version) {
			assertThat(unreadable(binary().set("ce-specversion", version), "").reason()).isEqualTo(Reason.UNSUPPORTED);
		}

	}

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
			assertThat(EventReaderTests.this.reader.read(new RawEvent("s", EventHeaders.empty(), body), (type) -> null,
					RECEIVED))
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

	@Nested
	class AboutTheTenant {

		@Test
		void takesItFromTheSubjectOrTheHeader() {
			assertThat(read(binary().set("ce-tenantid", null), "", "acme")).isInstanceOf(Readable.class);
			assertThat(read(binary(), "", "acme")).isInstanceOf(Readable.class);
			assertThat(read(binary(), "", null)).isInstanceOf(Readable.class);
		}

		@Test
		void trustsNeitherWhenTheyDisagree() {
			Unreadable unreadable = unreadable(binary(), "", "other");
			assertThat(unreadable.reason()).isEqualTo(Reason.TENANT_MISMATCH);
			assertThat(unreadable.tenantId()).isNull();
			assertThat(unreadable.eventId()).isEqualTo(UUID.fromString(ID));
			assertThat(unreadable.detail()).contains("'other' according to the subject",
					"'acme' according to header 'ce-tenantid'");
		}

		@Test
		void knowsTheOrderingKeyOfWhatItCannotReadUnlessThatIsWhatItCannotRead() {
			assertThat(unreadable(binary().set("ce-type", null).set("ce-partitionkey", null).set("ce-subject", "a"), "")
				.key()).isEqualTo("a");
			assertThat(
					unreadable(binary().set("ce-type", null).set("ce-partitionkey", "k").set("ce-subject", "%zz"), "")
						.key())
				.isEqualTo("k");
			assertThat(unreadable(binary().set("ce-type", null).set("ce-partitionkey", "%zz"), "").key())
				.isEqualTo("%zz");
			assertThat(
					unreadable(binary().add("ce-partitionkey", "1").add("ce-partitionkey", "2").set("ce-subject", "a"),
							"")
						.key())
				.isNull();
			String body = "{\"eventId\":\"" + ID
					+ "\",\"eventType\":\"t\",\"tenantId\":\"acme\",\"metadata\":{\"key\":{},\"streamId\":\"a\"}}";
			assertThat(unreadable(EventHeaders.builder(), body).key()).isNull();
		}

		@ParameterizedTest
		@ValueSource(strings = { "0", "", "ten", "-1" })
		void readsAnEmptyBodyUnlessItsSizeIsSaidToBeAnother(String size) {
			assertThat(read(binary().set("Nats-Msg-Size", size), "", "acme")).isInstanceOf(Readable.class);
			assertThat(read(binary().set("Nats-Msg-Size", "10"), "{}", "acme")).isInstanceOf(Readable.class);
			Unreadable unreadable = unreadable(binary().set("Nats-Msg-Size", "10").set("ce-subject", "a"), "", "acme");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_HEADER);
			assertThat(unreadable.detail()).contains("'Nats-Msg-Size'", "'10'", "no body", "Consider");
			assertThat(unreadable.tenantId()).isNotNull();
		}

		@Test
		void comparesCaseSensitively() {
			assertThat(unreadable(binary(), "", "Acme").reason()).isEqualTo(Reason.TENANT_MISMATCH);
		}

		@Test
		void trustsNoHeaderThatNamesTwo() {
			assertThat(unreadable(binary().add("CE-TENANTID", "other"), "").reason()).isEqualTo(Reason.TENANT_MISMATCH);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "a b", "a.b", "%C3", "a%", "a%2Eb", "a%0D%0Ab" })
		void refusesAHeaderThatNamesNone(String value) {
			Unreadable unreadable = unreadable(binary().set("ce-tenantid", value), "", "acme");
			assertThat(unreadable.reason()).isEqualTo(Reason.INVALID_TENANT);
			assertThat(unreadable.tenantId()).isNull();
			assertThat(unreadable.detail()).doesNotContain("\r", "\n");
		}

		@Test
		void refusesASubjectThatNamesNone() {
			assertThat(unreadable(binary(), "", "a$").reason()).isEqualTo(Reason.INVALID_TENANT);
			assertThat(unreadable(binary(), "", "").reason()).isEqualTo(Reason.INVALID_TENANT);
		}

		@Test
		void needsOne() {
			assertThat(unreadable(binary().set("ce-tenantid", null), "").reason()).isEqualTo(Reason.NO_TENANT);
		}

	}

}
