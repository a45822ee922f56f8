package dev.eventing.sdk.event;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An event type of three versions. Version 1 had a text for amount and currency, version
 * 2 named the currency "unit".
 */
final class Orders {

	static final String V1 = "{\"order\":\"a\",\"total\":\"12.50 EUR\"}";

	static final String V2 = "{\"order\":\"a\",\"amount\":12.50,\"unit\":\"EUR\"}";

	static final String V3 = "{\"order\":\"a\",\"amount\":12.50,\"currency\":\"EUR\"}";

	static final Placed PLACED = new Placed("a", new BigDecimal("12.50"), "EUR");

	private Orders() {
	}

	static EventVersions versions() {
		return EventVersions.of(List.of(new SplitTotal(), new NamedCurrency()), List.of(new NamedUnit()),
				WrittenVersions.NEWEST);
	}

	static UnboundPayload payload(int version, String json) {
		return payload("order.placed", version, json);
	}

	static UnboundPayload payload(String type, int version, String json) {
		return UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper(), versions()).writtenAs(type, version);
	}

	/** The newest version. */
	@EventType(value = "order.placed", version = 3, aliases = "OrderCreated")
	record Placed(String order, BigDecimal amount, String currency) {
	}

	/** The same type, as older code knows it. */
	@EventType(value = "order.placed", version = 2)
	record PlacedBefore(String order, BigDecimal amount, String unit) {
	}

	/** A step of a test's own. */
	record Step(String eventType, int fromVersion, UnaryOperator<JsonNode> change) implements EventUpcaster {

		@Override
		public @Nullable JsonNode upcast(JsonNode payload) {
			return this.change.apply(payload);
		}

	}

	/** Drops orders without a total. */
	static final class SplitTotal implements EventUpcaster {

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
			String[] total = payload.path("total").asString().split(" ", -1);
			if (total.length < 2) {
				return null;
			}
			return ((ObjectNode) payload).put("amount", new BigDecimal(total[0])).put("unit", total[1]);
		}

	}

	/** Named by the alias, as it was before the type was renamed. */
	static final class NamedCurrency implements EventUpcaster {

		@Override
		public String eventType() {
			return "OrderCreated";
		}

		@Override
		public int fromVersion() {
			return 2;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			return ((ObjectNode) payload).set("currency", payload.path("unit"));
		}

	}

	/** Makes version 2. */
	static final class NamedUnit implements EventDowncaster {

		@Override
		public String eventType() {
			return "order.placed";
		}

		@Override
		public int toVersion() {
			return 2;
		}

		@Override
		public JsonNode downcast(JsonNode payload) {
			ObjectNode before = (ObjectNode) payload;
			before.set("unit", before.remove("currency"));
			return before;
		}

	}

}
