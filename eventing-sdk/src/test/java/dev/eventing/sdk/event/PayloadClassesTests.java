package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which classes of payloads a start refuses. */
@SuppressWarnings({ "ArrayRecordComponent", "ClassCanBeStatic" })
class PayloadClassesTests {

	private static final String ABSTRACT = "is abstract, and nothing tells which class is meant";

	private static final String CLOSED = "has no constructor that Jackson can call";

	private final JsonMapper mapper = EventJson.mapper();

	private @Nullable String problem(Type type) {
		return PayloadClasses.problem(this.mapper, type);
	}

	static List<Refused> refused() {
		return List.of(new Refused(OfInterface.class, "OfInterface.money: Money", Money.class, ABSTRACT, """
				{"money": {"cents": 1}}"""),
				new Refused(OfClosed.class, "OfClosed.customer: Customer", Customer.class, CLOSED, """
						{"customer": {"name": "n"}}"""),
				new Refused(OfList.class, "OfList.moneys[]: Money", Money.class, ABSTRACT, """
						{"moneys": [{}]}"""),
				new Refused(OfMap.class, "OfMap.moneys[]: Money", Money.class, ABSTRACT, """
						{"moneys": {"a": {}}}"""),
				new Refused(OfArray.class, "OfArray.moneys[]: Money", Money.class, ABSTRACT, """
						{"moneys": [{}]}"""),
				new Refused(OfOptional.class, "OfOptional.money: Money", Money.class, ABSTRACT, """
						{"money": {}}"""),
				new Refused(OfReference.class, "OfReference.money: Money", Money.class, ABSTRACT, """
						{"money": {}}"""),
				new Refused(Placed.class, "Placed.lines[].price: Money", Money.class, ABSTRACT, """
						{"lines": [{"price": {}}]}"""),
				new Refused(OfBox.class, "OfBox.box.content[].content: Money", Money.class, ABSTRACT, """
						{"box": {"content": [{"content": {}}]}}"""),
				new Refused(Node.class, "Node.value: Customer", Customer.class, CLOSED, """
						{"next": [{"value": {}}]}"""),
				new Refused(Outer.class, "Outer.inner: Inner", Outer.Inner.class, CLOSED, """
						{"inner": {"value": 1}}"""),
				new Refused(OfSetter.class, "OfSetter.money: Money", Money.class, ABSTRACT, """
						{"money": {}}"""));
	}

	@ParameterizedTest
	@MethodSource
	void refused(Refused refused) {
		assertThat(problem(refused.type())).isEqualTo("no payload with '" + refused.property() + "' can be bound to "
				+ refused.type().getTypeName() + ": " + refused.of().getName() + " " + refused.why()
				+ ". Consider a record, a class with a constructor that Jackson can call, @JsonTypeInfo,"
				+ " a deserializer of its own, or @JsonIgnore.");
		assertThatExceptionOfType(PayloadBindingException.class).as("so it is").isThrownBy(() -> bind(refused));
	}

	private void bind(Refused refused) {
		UnboundPayload.of(refused.json().getBytes(StandardCharsets.UTF_8), this.mapper).bind(refused.type());
	}

	@Test
	void refusesWhatIsInAGenericPayload() {
		assertThat(problem(new TypeReference<List<Box<Money>>>() {
		}.getType())).startsWith("no payload with 'List[].content: Money' can be bound to java.util.List<");
	}

	@Test
	void namesTheWholeClassAsBefore() {
		assertThat(problem(Customer.class)).startsWith("no payload can be bound to " + Customer.class.getName())
			.contains("Cannot construct instance");
	}

	@Test
	void takesWhatModulesOfTheApplicationCreate() {
		JsonMapper own = EventJson.mapper()
			.rebuild()
			.addModule(new SimpleModule().addDeserializer(Money.class, new MoneyDeserializer())
				.addAbstractTypeMapping(Named1.class, Plain1.class)
				.addValueInstantiator(Customer.class, new Customers()))
			.addMixIn(Closed.class, OpenByMixIn.class)
			.build();
		for (Class<?> type : List.of(OfInterface.class, OfList.class, OfOptional.class, OfClosed.class, OfNamed.class,
				OfMixIn.class)) {
			assertThat(PayloadClasses.problem(own, type)).isNull();
		}
		assertThat(problem(OfNamed.class)).contains("OfNamed.named: Named1");
		assertThat(problem(OfMixIn.class)).contains("OfMixIn.closed: Closed");
	}

	@Test
	void refusesNothingWhereAHandlerOfTheApplicationMayConstructIt() {
		JsonMapper own = EventJson.mapper().rebuild().addHandler(new DeserializationProblemHandler() {
		}).build();
		assertThat(PayloadClasses.problem(own, OfInterface.class)).isNull();
	}

	record Refused(Class<?> type, String property, Class<?> of, String why, String json) {
	}

	interface Money {

	}

	static final class Customer {

		private final String name;

		Customer(String name, int age) {
			this.name = name + age;
		}

		String name() {
			return this.name;
		}

	}

	record OfInterface(Money money) {
	}

	record OfClosed(Customer customer) {
	}

	record OfList(List<Money> moneys) {
	}

	record OfMap(Map<String, Money> moneys) {
	}

	@SuppressWarnings("ArrayRecordComponent")
	record OfArray(Money[] moneys) {
	}

	record OfOptional(Optional<Money> money) {
	}

	record OfReference(AtomicReference<Money> money) {
	}

	record Placed(String id, List<Line> lines) {
	}

	record Line(int number, Money price) {
	}

	record Box<T>(T content) {
	}

	record OfBox(Box<List<Box<Money>>> box) {
	}

	record Node(List<Node> next, Customer value) {
	}

	static class OfSetter {

		private @Nullable Money money;

		public @Nullable Money getMoney() {
			return this.money;
		}

		public void setMoney(Money money) {
			this.money = money;
		}

	}

	record Coins(int cents) implements Money {
	}

	static class MoneyDeserializer extends StdDeserializer<Money> {

		MoneyDeserializer() {
			super(Money.class);
		}

		@Override
		public Money deserialize(JsonParser parser, DeserializationContext context) {
			parser.skipChildren();
			return new Coins(0);
		}

	}

	static class Outer {

		public @Nullable Inner inner;

		class Inner {

			public int value;

		}

	}

	interface Named1 {

	}

	record Plain1() implements Named1 {
	}

	record OfNamed(Named1 named) {
	}

	record OfMixIn(Closed closed) {
	}

	static final class Closed {

		private final String text;

		Closed(String text, int number) {
			this.text = text + number;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	abstract static class OpenByMixIn {

		@JsonCreator
		OpenByMixIn(@JsonProperty("text") String text, @JsonProperty("number") int number) {
		}

	}

	/** Says nothing of what it can do. */
	static final class Customers extends ValueInstantiator.Base {

		Customers() {
			super(Customer.class);
		}

		@Override
		public Object createUsingDefault(DeserializationContext context) {
			return new Customer("a", 1);
		}

	}

}
