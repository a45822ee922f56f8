package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.Orders.NamedUnit;
import dev.eventing.sdk.event.Orders.Placed;
import dev.eventing.sdk.event.ReadResult.Readable;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "+2", "two", "2.0", "99999999999" })
	void thatIsNoWholeNumberFromOneOnMakesTheEventUnreadable(String version) {
		EventHeaders headers = EventHeaders.builder()
			.add("ce-id", "1")
			.add("ce-type", "order.placed")
			.add("ce-tenantid", "acme")
			.add("ce-dataversion", version)
			.build();
		ReadResult read = this.reader.read(new RawEvent(SUBJECT, headers, new byte[0]), (type) -> null, Instant.EPOCH);
		assertThat(read).isInstanceOfSatisfying(Unreadable.class,
				(unreadable) -> assertThat(unreadable.detail()).contains("attribute 'dataversion'", version));
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
