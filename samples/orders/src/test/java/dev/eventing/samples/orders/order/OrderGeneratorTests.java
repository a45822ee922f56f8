package dev.eventing.samples.orders.order;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderGeneratorTests {

	private static final int MANY = 2_000;

	/** The rules once more, as a pattern over the first letters of what happened. */
	private static final String LIFE = "C[AR]+(X|S(X|P(X|H)?)?)?";

	private final OrderGenerator generator = new OrderGenerator(4);

	@Test
	void givesTheSameEventsForTheSameSeed() {
		OrderGenerator again = new OrderGenerator(4);
		assertThat(IntStream.rangeClosed(1, 50).mapToObj(again::order)).isEqualTo(orders(50).toList());
	}

	@Test
	void givesOtherEventsForAnotherSeed() {
		OrderGenerator other = new OrderGenerator(5);
		assertThat(IntStream.rangeClosed(1, 50).mapToObj(other::order)).isNotEqualTo(orders(50).toList());
	}

	@Test
	void obeysTheRulesInEveryOrder() {
		assertThat(orders(MANY).map(OrderGeneratorTests::life)).allMatch((life) -> life.matches(LIFE));
	}

	@Test
	void givesOrdersThatEndInEveryWay() {
		Set<String> ends = Set.of("C", "A", "R", "S", "P", "H", "X");
		List<String> seen = orders(MANY).map(OrderGeneratorTests::life)
			.map((life) -> life.substring(life.length() - 1))
			.distinct()
			.toList();
		assertThat(ends).containsAll(seen);
		assertThat(seen).contains("A", "S", "P", "H", "X");
	}

	@Test
	void countsVersionsFromOneAndKeepsTimesInOrder() {
		assertThat(orders(MANY)).allSatisfy((events) -> {
			assertThat(events).extracting(Event::streamVersion)
				.containsExactlyElementsOf(LongStream.rangeClosed(1, events.size()).boxed().toList());
			assertThat(events).extracting(Event::time).isSortedAccordingTo(Instant::compareTo);
			assertThat(events).allSatisfy((event) -> assertThat(event.streamId()).isEqualTo(event.payload().orderId()));
		});
	}

	@Test
	void givesEveryEventAnIdOfItsOwn() {
		List<UUID> ids = orders(MANY).flatMap(List::stream).map(Event::id).toList();
		assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(12_000);
	}

	@Test
	void numbersTheOrdersOfEachTenantAlike() {
		assertThat(orders(MANY).filter((events) -> events.get(0).payload().orderId().equals("order-000010")))
			.extracting((events) -> events.get(0).tenantId())
			.containsExactlyInAnyOrder(TenantId.of("acme"), TenantId.of("globex"), TenantId.of("initech"));
	}

	@Test
	void makesOneOrderInACurrencyThatIsNone() {
		List<List<Event<OrderEvent>>> poison = orders(MANY).filter((events) -> currency(events).equals("XTS")).toList();
		assertThat(poison).singleElement().satisfies((events) -> {
			assertThat(events).isEqualTo(this.generator.order(OrderGenerator.POISON));
			assertThat(life(events)).endsWith("SPH");
		});
	}

	private Stream<List<Event<OrderEvent>>> orders(int count) {
		return IntStream.rangeClosed(1, count).mapToObj(this.generator::order);
	}

	private static String currency(List<Event<OrderEvent>> events) {
		return ((OrderCreated) events.get(0).payload()).currency();
	}

	private static String life(List<Event<OrderEvent>> events) {
		StringBuilder life = new StringBuilder();
		events.forEach((event) -> life.append(letter(event.type())));
		return life.toString();
	}

	private static char letter(String type) {
		return switch (type) {
			case "order.created" -> 'C';
			case "order.item-added" -> 'A';
			case "order.item-removed" -> 'R';
			case "order.submitted" -> 'S';
			case "order.payment-authorized" -> 'P';
			case "order.shipped" -> 'H';
			case "order.cancelled" -> 'X';
			default -> '?';
		};
	}

}
