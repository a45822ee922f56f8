package dev.eventing.sdk.guarantees;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventDowncaster;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An event type of three versions, the code that knows all of them, and the code of
 * before. Version 1 had a text for amount and currency, version 2 named the currency
 * "unit".
 */
final class VersionedOrders {

	static final String TYPE = "order.placed";

	/** The name that the type had at first. */
	static final String ALIAS = "OrderCreated";

	private VersionedOrders() {
	}

	static void createTable(World world) {
		world.jdbc().execute("""
				create table order_line (
				  tenant_id text, order_id text primary key, amount numeric not null, currency text not null)""");
	}

	/** An application that reads orders from this source. */
	static WorldApplication application(Source source, Object... orders) {
		return WorldApplication.of(orders)
			.lease(Duration.ofSeconds(2))
			.with(ProjectorSettings.builder()
				.source(source)
				.maxDeliver(1)
				.retryDelay(Duration.ofMillis(50))
				.batchSize(20)
				.build())
			.customize((context) -> {
				context.registerBean(SplitTotal.class, SplitTotal::new);
				context.registerBean(NamedCurrency.class, NamedCurrency::new);
				context.registerBean(NamedUnit.class, NamedUnit::new);
			});
	}

	/** Publishes or appends an order as the code of a version wrote it. */
	static void offer(World world, Source source, String type, int version, String order, String rest) {
		if (source == Source.EVENT_STORE) {
			world.inTransaction((store) -> store.append(World.ACME, world.storedStream(order), ExpectedVersion.any(),
					event(type, version, order, rest)));
		}
		else {
			world.publish(
					Event.builder(World.ACME, payload(type, version, order, rest)).type(type).streamId(order).build());
		}
	}

	static void offer(World world, Source source, int version, String order) {
		offer(world, source, TYPE, version, order, rest(version));
	}

	/** An order to append, as the code of a version wrote it. */
	static NewEvent event(String type, int version, String order, String rest) {
		return NewEvent.of(payload(type, version, order, rest)).withType(type);
	}

	static NewEvent event(int version, String order) {
		return event(TYPE, version, order, rest(version));
	}

	private static UnboundPayload payload(String type, int version, String order, String rest) {
		return UnboundPayload.of(("{\"order\":\"" + order + "\"," + rest + "}").getBytes(UTF_8), EventJson.mapper())
			.writtenAs(type, version);
	}

	private static String rest(int version) {
		return switch (version) {
			case 1 -> "\"total\":\"12.50 EUR\"";
			case 2 -> "\"amount\":12.50,\"unit\":\"EUR\"";
			default -> "\"amount\":12.50,\"currency\":\"EUR\"";
		};
	}

	/** Orders of each version and name, and one that means nothing any more. */
	static void offerMixed(World world, Source source, String prefix) {
		offer(world, source, 1, prefix + "1");
		offer(world, source, 3, prefix + "3");
		offer(world, source, 2, prefix + "2");
		offer(world, source, TYPE, 1, prefix + "void", "\"total\":\"\"");
		offer(world, source, ALIAS, 1, prefix + "old", "\"total\":\"12.50 EUR\"");
	}

	static List<String> lines(World world, String schema) {
		return world.jdbc()
			.queryForList("select order_id || ' ' || amount || ' ' || currency from " + schema
					+ ".order_line order by order_id", String.class);
	}

	static List<String> lines(World world) {
		return lines(world, "public");
	}

	/** The events of an order. */
	sealed interface OrderChange permits OrderPlaced, OrderCancelled {

	}

	@EventType(value = "order.placed", version = 3, aliases = "OrderCreated")
	record OrderPlaced(String order, BigDecimal amount, String currency) implements OrderChange {
	}

	record OrderCancelled(String order) implements OrderChange {
	}

	/** The same type, as older code knows it. */
	@EventType(value = "order.placed", version = 2, aliases = "OrderCreated")
	record OrderPlacedBefore(String order, BigDecimal amount, String unit) {
	}

	/** Writes a line per order, and fails where a test asks for it. */
	abstract static class Lines {

		volatile boolean broken;

		@Autowired
		JdbcTemplate jdbc;

		void add(String tenant, String order, BigDecimal amount, String currency) {
			if (this.broken) {
				throw new Accounts.Refused();
			}
			this.jdbc.update("insert into order_line values (?, ?, ?, ?)", tenant, order, amount, currency);
		}

	}

	/** The newest code. */
	@Projector(value = Accounts.PROJECTOR, tables = "order_line")
	static class Orders extends Lines {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(OrderChange event, UUID eventId, String tenantId) {
			if (event instanceof OrderPlaced placed) {
				add(tenantId, placed.order(), placed.amount(), placed.currency());
			}
		}

	}

	/** The code of before. */
	@Projector(value = Accounts.PROJECTOR, tables = "order_line")
	static class OrdersBefore extends Lines {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(OrderPlacedBefore event, UUID eventId, String tenantId) {
			add(tenantId, event.order(), event.amount(), event.unit());
		}

	}

	/** Drops orders without a total. */
	static final class SplitTotal implements EventUpcaster {

		@Override
		public String eventType() {
			return "OrderCreated";
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
			((ObjectNode) payload).put("amount", new BigDecimal(total[0])).put("unit", total[1]);
			return payload;
		}

	}

	/** Makes version 3. */
	static final class NamedCurrency implements EventUpcaster {

		@Override
		public String eventType() {
			return "order.placed";
		}

		@Override
		public int fromVersion() {
			return 2;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			((ObjectNode) payload).set("currency", payload.path("unit"));
			return payload;
		}

	}

	/** Makes version 2 again. */
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
