package dev.eventing.sdk.event;

import java.util.List;

import dev.eventing.sdk.event.Orders.Placed;
import dev.eventing.sdk.event.Orders.PlacedBefore;
import dev.eventing.sdk.event.Orders.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A payload is raised to the version of the class that it is bound to. */
class OldPayloadTests {

	@Test
	void eachVersionBindsToTheNewestClass() {
		assertThat(Orders.payload(1, Orders.V1).<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
		assertThat(Orders.payload(2, Orders.V2).<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
		assertThat(Orders.payload(3, Orders.V3).<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
		assertThat(Orders.payload("OrderCreated", 1, Orders.V1).<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
	}

	@Test
	void bindsToTheVersionOfTheClassAndNotToTheNewest() {
		assertThat(Orders.payload(1, Orders.V1).<PlacedBefore>bind(PlacedBefore.class).unit()).isEqualTo("EUR");
	}

	@Test
	void aPayloadOfTheCurrentVersionMeetsNoUpcaster() {
		UnboundPayload current = UnboundPayload.of(Orders.V3.getBytes(UTF_8), EventJson.mapper(), failing())
			.writtenAs("order.placed", 3);
		assertThat(current.<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
	}

	@Test
	void aClassThatIsNotOfTheTypeGetsThePayloadAsItWasWritten() {
		JsonNode tree = Orders.payload(1, Orders.V1).bind(JsonNode.class);
		assertThat(tree.path("total").asString()).isEqualTo("12.50 EUR");
		assertThat(Orders.payload(7, Orders.V3).<JsonNode>bind(JsonNode.class).has("currency")).isTrue();
		assertThat(Orders.payload(7, Orders.V3).<Other>bind(Other.class).order()).isEqualTo("a");
	}

	@Test
	void anUpcasterDropsAnEvent() {
		UnboundPayload dropped = Orders.payload(1, "{\"order\":\"a\",\"total\":\"\"}");
		assertThat(dropped.<Placed>bindKept(Placed.class)).isEmpty();
		assertThatExceptionOfType(DroppedEventException.class).isThrownBy(() -> dropped.bind(Placed.class))
			.withMessageContaining("'order.placed'");
		assertThat(Orders.payload(1, Orders.V1).<Placed>bindKept(Placed.class)).contains(Orders.PLACED);
	}

	@Test
	void aNewerPayloadIsNotBoundToAnOlderClass() {
		UnboundPayload newer = Orders.payload(3, Orders.V3);
		assertThatExceptionOfType(NewerEventException.class).isThrownBy(() -> newer.bind(PlacedBefore.class))
			.withMessageContaining("written in version 3")
			.withMessageContaining(PlacedBefore.class.getName());
		assertThat(newer.newerThan(PlacedBefore.class)).isNotNull();
		assertThat(newer.newerThan(Placed.class)).isNull();
		assertThat(newer.newerThan(JsonNode.class)).isNull();
		assertThat(Orders.payload(2, Orders.V2).newerThan(PlacedBefore.class)).isNull();
	}

	@Test
	void anUpcasterThatThrowsNamesNothingOfThePayload() {
		UnboundPayload old = UnboundPayload.of(Orders.V1.getBytes(UTF_8), EventJson.mapper(), failing())
			.writtenAs("order.placed", 1);
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> old.bind(Placed.class))
			.withNoCause()
			.withMessageContaining("its upcaster from version 1 threw java.lang.IllegalStateException")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("12.50"));
		assertThatExceptionOfType(PayloadBindingException.class)
			.isThrownBy(() -> UnboundPayload.of(Orders.V1.getBytes(UTF_8), EventJson.mapper())
				.writtenAs("order.placed", 1)
				.bind(Placed.class))
			.withMessageContaining("no upcaster leads from version 1 of event type 'order.placed' to version 2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "{" })
	void whatIsNoPayloadReachesNoUpcaster(String json) {
		UnboundPayload broken = UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper(), failing())
			.writtenAs("order.placed", 1);
		assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> broken.bind(Placed.class))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("upcaster"));
	}

	@Test
	void anEditedPayloadKeepsTheVersionInWhichTheEventWasWritten() {
		UnboundPayload edited = Orders.payload(1, "{}").replacedBy(Orders.V1.getBytes(UTF_8));
		assertThat(edited.version()).isOne();
		assertThat(edited.<Placed>bind(Placed.class)).isEqualTo(Orders.PLACED);
	}

	@Test
	void aFoldBindsEachVersionByEachName() {
		PayloadTypes<Placed> types = PayloadTypes.of(Placed.class);
		assertThat(types.names()).containsExactlyInAnyOrder("order.placed", "OrderCreated");
		assertThat(types.bind(event("OrderCreated", Orders.V1))).isEqualTo(Orders.PLACED);
		assertThat(types.bindKept(event("order.placed", "{\"total\":\"\"}"))).isEmpty();
	}

	@Test
	void anEventHasTheVersionOfThePayloadThatItHolds() {
		Event<UnboundPayload> read = event("order.placed", Orders.V1);
		assertThat(read.typeVersion()).isOne();
		Event<Placed> bound = read.map((payload) -> payload.bind(Placed.class));
		assertThat(bound.typeVersion()).isEqualTo(3);
		assertThat(bound.toBuilder().build()).isEqualTo(bound);
		assertThat(Event.builder(TenantId.of("acme"), "text").type("a").typeVersion(2).build().typeVersion())
			.isEqualTo(2);
		assertThatExceptionOfType(InvalidEventException.class)
			.isThrownBy(() -> Event.builder(TenantId.of("acme"), "text").type("a").typeVersion(0).build());
	}

	private static Event<UnboundPayload> event(String type, String json) {
		return Event.builder(TenantId.of("acme"), Orders.payload(type, 1, json)).type(type).build();
	}

	private static EventVersions failing() {
		return EventVersions.of(List.of(new Step("order.placed", 1, (payload) -> {
			throw new IllegalStateException("of " + payload);
		})), List.of(), WrittenVersions.NEWEST);
	}

	record Other(String order) {
	}

}
