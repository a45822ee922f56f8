package dev.eventing.sdk.event;

import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Events whose attributes are in the headers, and the tenants of events. */
class EventReaderTests extends EventReaderSetup {

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

		/** Without a tenant, the ledger has the event under another id. */
		@Test
		void namesThePublishersIdWhereNoTenantIsCertain() {
			String id = "The publisher's id of the event is '" + ID + "'.";
			assertThat(unreadable(binary().set("ce-tenantid", null), "").detail()).endsWith(id);
			assertThat(unreadable(binary(), "", "other").detail()).endsWith(id);
			assertThat(unreadable(binary(), "", "a$").detail()).endsWith(id);
			assertThat(unreadable(binary().set("ce-id", "order-7"), "", "other").detail()).endsWith("'order-7'.");
			assertThat(unreadable(binary().set("ce-id", null), "", "other").detail()).doesNotContain("publisher's id");
			assertThat(unreadable(binary().set("ce-type", null), "").detail()).doesNotContain("publisher's id");
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
