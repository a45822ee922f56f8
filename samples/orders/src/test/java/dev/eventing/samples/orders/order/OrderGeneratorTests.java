package dev.eventing.samples.orders.order;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderGeneratorTests {

	private static final int MANY = 2_000;

	/** The rules once more, as a pattern over the first letters of what happened. */
	private static final String LIFE = "C[AR]+(X|S(X|P(X|H)?)?)?";

	private final OrderGenerator generator = new OrderGenerator(4);

	@Test
	void givesTheSameCommandsForTheSameSeed() {
		assertThat(events(new OrderGenerator(4), 50)).isEqualTo(events(this.generator, 50));
	}

	@Test
	void givesOthersForAnotherSeed() {
		assertThat(events(new OrderGenerator(5), 50)).isNotEqualTo(events(this.generator, 50));
	}

	@Test
	void obeysTheRulesInEveryOrder() {
		assertThat(orders(MANY).map(OrderGeneratorTests::life)).allMatch((life) -> life.matches(LIFE));
	}

	@Test
	void givesOrdersThatEndInEveryWay() {
		Set<String> seen = Set.copyOf(orders(MANY).map(OrderGeneratorTests::life)
			.map((life) -> life.substring(life.length() - 1))
			.distinct()
			.toList());
		assertThat(seen).contains("A", "S", "P", "H", "X").isSubsetOf("A", "R", "S", "P", "H", "X");
	}

	@Test
	void keepsTimesInOrder() {
		assertThat(orders(MANY)).allSatisfy((script) -> assertThat(script.steps()).flatMap((step) -> step)
			.extracting(OrderCommand::at)
			.isSortedAccordingTo(Instant::compareTo));
	}

	@Test
	void letsTwoPeopleWantSomethingAtTheSameTime() {
		List<OrderScript> contested = orders(MANY)
			.filter((script) -> script.steps().stream().anyMatch((step) -> step.size() == 2))
			.toList();
		assertThat(contested).hasSizeGreaterThan(MANY / 10);
		assertThat(contested.stream().mapToInt((script) -> Folded.of(script).refused()).sum()).isPositive()
			.isLessThan(contested.size());
	}

	@Test
	void numbersTheOrdersOfEachTenantAlike() {
		assertThat(orders(MANY).filter((script) -> script.orderId().equals("order-000010")))
			.extracting(OrderScript::tenantId)
			.containsExactlyInAnyOrder(TenantId.of("acme"), TenantId.of("globex"), TenantId.of("initech"));
	}

	@Test
	void makesOneOrderInACurrencyThatIsNone() {
		List<OrderScript> poison = orders(MANY).filter((script) -> currency(script).equals("XTS")).toList();
		assertThat(poison).singleElement().satisfies((script) -> assertThat(life(script)).endsWith("SPH"));
		assertThat(life(poison.get(0))).isEqualTo(life(this.generator.order(OrderGenerator.POISON)));
	}

	private Stream<OrderScript> orders(int count) {
		return IntStream.rangeClosed(1, count).mapToObj(this.generator::order);
	}

	private static List<List<OrderEvent>> events(OrderGenerator generator, int count) {
		return IntStream.rangeClosed(1, count)
			.mapToObj(generator::order)
			.map((each) -> Folded.of(each).events())
			.toList();
	}

	private static String currency(OrderScript script) {
		return ((OrderCreated) Folded.of(script).events().get(0)).currency();
	}

	private static String life(OrderScript script) {
		StringBuilder life = new StringBuilder();
		Folded.of(script).events().forEach((event) -> life.append(letter(EventTypes.nameOf(event.getClass()))));
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
