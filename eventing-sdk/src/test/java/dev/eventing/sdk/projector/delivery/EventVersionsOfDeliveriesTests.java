package dev.eventing.sdk.projector.delivery;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A delivery of an old event is raised or dropped, and that of a newer one waits. */
class EventVersionsOfDeliveriesTests {

	private static final ProjectorId ORDERS = ProjectorId.of("orders");

	private final DeliveryDecoder decoder = decoder(ProjectorSettings.NONE);

	private final DeliveryDecoder keyed = decoder(ProjectorSettings.builder().key("payload.name").build());

	@Test
	void anOldEventIsRaised() {
		RoutedEvent routed = this.keyed.route(order(1, "{\"name\":\"a\"}"));
		assertThat(routed.newer()).isNull();
		assertThat(routed.isDropped()).isFalse();
		assertThat(routed.bound().payload()).isEqualTo(new Placed("a"));
		assertThat(routed.bound().typeVersion()).isEqualTo(2);
		assertThat(routed.event().typeVersion()).isOne();
		assertThat(routed.key()).isEqualTo("acme/a");
		assertThat(Rejection.of(ORDERS, routed)).isNull();
	}

	@Test
	void anEventThatAnUpcasterDropsIsNotRejected() {
		for (DeliveryDecoder each : List.of(this.decoder, this.keyed)) {
			RoutedEvent routed = each.route(order(1, "{}"));
			assertThat(routed.isDropped()).isTrue();
			assertThat(routed.hasEvent()).isTrue();
			assertThat(routed.key()).isEqualTo("acme/order-1");
			assertThat(Rejection.of(ORDERS, routed)).isNull();
		}
	}

	@Test
	void anEventThatNewerCodeHasWrittenWaits() {
		for (DeliveryDecoder each : List.of(this.decoder, this.keyed)) {
			RoutedEvent routed = each.route(order(3, "{}"));
			assertThat(routed.newer()).isNotNull().hasMessageContaining("written in version 3");
			assertThat(routed.hasEvent()).isTrue();
		}
	}

	@Test
	void anEventThatNoHandlerTakesDoesNotWait() {
		RoutedEvent routed = this.decoder.route(event("order.lost", 3, "{}"));
		assertThat(routed.handler()).isNull();
		assertThat(routed.newer()).isNull();
	}

	private static SourceEvent order(int version, String json) {
		return event("order.placed", version, json);
	}

	private static SourceEvent event(String type, int version, String json) {
		UnboundPayload payload = UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper()).writtenAs(type, version);
		Event<?> event = Event.builder(TenantId.of("acme"), payload).type(type).streamId("order-1").build();
		return StreamEvents.at(1, new EventWriter(EventJson.mapper()).write("orders.acme", event));
	}

	private static DeliveryDecoder decoder(ProjectorSettings settings) {
		HandlerMethod placed = new HandlerMethod("placed", SubjectTemplate.of("orders.{tenant}"),
				Map.of("order.placed", Placed.class), false, (events, resources) -> {
				});
		return new DeliveryDecoder(
				new ProjectorEndpoint(ORDERS, "orders-consumer", null, List.of(placed), ProjectorOptions.of(settings)),
				new EventReader(EventJson.mapper(),
						EventVersions.of(List.of(new Named()), List.of(), WrittenVersions.NEWEST)));
	}

	@EventType(value = "order.placed", version = 2)
	record Placed(String name) {
	}

	/** Drops orders without a name. */
	static final class Named implements EventUpcaster {

		@Override
		public String eventType() {
			return "order.placed";
		}

		@Override
		public int fromVersion() {
			return 1;
		}

		@Override
		public @Nullable JsonNode upcast(JsonNode payload) {
			return payload.has("name") ? payload : null;
		}

	}

}
