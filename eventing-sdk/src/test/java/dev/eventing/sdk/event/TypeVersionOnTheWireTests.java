package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.Orders.NamedUnit;
import dev.eventing.sdk.event.Orders.Placed;
import dev.eventing.sdk.event.ReadResult.Readable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The version of a type travels with the event in each form. */
class TypeVersionOnTheWireTests {

	private static final String SUBJECT = "orders.acme";

	private final EventReader reader = new EventReader(EventJson.mapper(), Orders.versions());

	@Test
	void isAHeaderOfBinaryMode() {
		RawEvent raw = new EventWriter(EventJson.mapper(), Orders.versions()).write(SUBJECT, event(Orders.PLACED));
		assertThat(raw.headers().first("ce-dataversion")).isEqualTo("3");
		assertThat(read(raw).typeVersion()).isEqualTo(3);
	}

	@Test
	void isAbsentForVersionOne() {
		RawEvent raw = new EventWriter(EventJson.mapper()).write(SUBJECT, event(new Plain("a")));
		assertThat(raw.headers().first("ce-dataversion")).isNull();
		assertThat(read(raw).typeVersion()).isOne();
	}

	@Test
	void isKeptWhenAnEventIsPassedOn() {
		RawEvent raw = new EventWriter(EventJson.mapper()).write(SUBJECT,
				Event.builder(TenantId.of("acme"), Orders.payload(2, Orders.V2)).type("order.placed").build());
		assertThat(raw.headers().first("ce-dataversion")).isEqualTo("2");
		assertThat(raw.payload()).isEqualTo(Orders.V2.getBytes(UTF_8));
	}

	@Test
	void isAnAttributeOfStructuredModeAndOfTheEnvelope() {
		EventHeaders structured = EventHeaders.builder().add("Content-Type", "application/cloudevents+json").build();
		for (String version : List.of("2", "\"2\"")) {
			assertThat(bound(structured, """
					{"specversion":"1.0","id":"1","type":"order.placed","source":"/a","tenantid":"acme",
					 "dataversion":%s,"data":%s}""".formatted(version, Orders.V2))).isEqualTo(Orders.PLACED);
			assertThat(bound(EventHeaders.empty(), """
					{"eventId":"1","eventType":"order.placed","tenantId":"acme","eventVersion":%s,"payload":%s}"""
				.formatted(version, Orders.V2))).isEqualTo(Orders.PLACED);
		}
	}

	/** A class of version 3 depends on it, a class without versions does not. */
	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "+2", "two", "2.5", "4.0", "2.", ".0", "99999999999", "\u0661" })
	void thatIsNoneCostsTheEventOnlyWhereTheClassHasVersions(String version) {
		Event<UnboundPayload> event = read(said("order.placed", version, Orders.V2));
		assertThat(event.payload().newerThan(Placed.class)).isNull();
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> event.payload().bind(Placed.class))
			.withMessageContaining(
					"its version '" + version + "' is no whole number from 1 to 3, which is that of the class");
		assertThat(event.payload().<JsonNode>bind(JsonNode.class).isObject()).isTrue();
		Event<UnboundPayload> plain = read(said("Plain", version, "{\"name\":\"a\"}"));
		assertThat(plain.payload().newerThan(Plain.class)).isNull();
		assertThat(plain.payload().<Plain>bind(Plain.class)).isEqualTo(new Plain("a"));
	}

	@Test
	void withoutAFractionIsAWholeNumberForAClassThatHasIt() {
		assertThat(read(said("order.placed", "2.0", Orders.V2)).payload().<Placed>bind(Placed.class))
			.isEqualTo(Orders.PLACED);
		assertThat(read(said("order.placed", "2.0", Orders.V2)).typeVersion()).isEqualTo(2);
		assertThat(read(said("Plain", "2.0", "{\"name\":\"a\"}")).payload().<Plain>bind(Plain.class))
			.as("versions of its publisher")
			.isEqualTo(new Plain("a"));
	}

	@Test
	void isPassedOnAsItCame() {
		for (String version : List.of("two", "2.0")) {
			RawEvent raw = new EventWriter(EventJson.mapper()).write(SUBJECT,
					read(said("order.placed", version, Orders.V2)));
			assertThat(raw.headers().first("ce-dataversion")).isEqualTo(version);
		}
	}

	private static RawEvent said(String type, String version, String payload) {
		EventHeaders headers = EventHeaders.builder()
			.add("ce-id", "1")
			.add("ce-type", type)
			.add("ce-tenantid", "acme")
			.add("ce-dataversion", version)
			.build();
		return new RawEvent(SUBJECT, headers, payload.getBytes(UTF_8));
	}

	@Test
	void canBeKeptBelowThatOfTheClass() {
		EventVersions lower = EventVersions.of(List.of(new Orders.SplitTotal(), new Orders.NamedCurrency()),
				List.of(new NamedUnit()), new WrittenVersions(Map.of("order.placed", 2)));
		RawEvent raw = new EventWriter(EventJson.mapper(), lower).write(SUBJECT, event(Orders.PLACED));
		assertThat(raw.headers().first("ce-dataversion")).isEqualTo("2");
		assertThat(new String(raw.payload(), UTF_8)).contains("\"amount\":12.50", "\"unit\":\"EUR\"")
			.doesNotContain("currency");
		assertThat(read(raw).payload().<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
	}

	private static Event<?> event(Object payload) {
		return Event.builder(TenantId.of("acme"), payload).build();
	}

	private Event<UnboundPayload> read(RawEvent raw) {
		ReadResult read = this.reader.read(raw, (type) -> null, Instant.EPOCH);
		assertThat(read).isInstanceOf(Readable.class);
		return ((Readable) read).event();
	}

	private Placed bound(EventHeaders headers, String body) {
		return read(new RawEvent(SUBJECT, headers, body.getBytes(UTF_8))).payload().bind(Placed.class);
	}

	record Plain(String name) {
	}

}
