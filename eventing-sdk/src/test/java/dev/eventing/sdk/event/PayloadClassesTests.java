package dev.eventing.sdk.event;

import java.io.Serializable;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonMerge;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import groovy.lang.MetaClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.util.StdConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which classes of payloads a start refuses, and which it must not refuse. */
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

	static List<Named<Type>> taken() {
		return List.of(named(Plain.class), named(Chosen.class), named(ById.class), named(Ignoring.class),
				named(WrittenOnly.class), named(OfCreators.class), named(OwnDeserializers.class), named(Family.class),
				named(Merging.class), named(Delegating.class), named(Unwrapping.class), named(Sealed.One.class),
				named(JsonNode.class), named(Map.class), named(Object.class), named(String.class), named(Endless.class),
				named(Inherited.class), named(OnlySet.class), named(OfBoth.class), named(OfGroovy.class));
	}

	private static Named<Type> named(Class<?> type) {
		return Named.of(type.getSimpleName(), type);
	}

	@ParameterizedTest
	@MethodSource
	void taken(Type type) {
		assertThat(problem(type)).isNull();
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

	@Test
	void whatIsTakenCanBeBound() {
		assertThatCode(() -> this.mapper.readValue("""
				{"shape": {"kind": "circle"}, "shapes": [{"kind": "circle"}]}""", ById.class))
			.doesNotThrowAnyException();
		assertThatCode(() -> this.mapper.readValue("""
				{"money": {}, "moneys": [{}], "optional": {}}""", OwnDeserializers.class)).doesNotThrowAnyException();
		assertThatCode(() -> this.mapper.readValue("""
				{"amount": "1 EUR", "code": 7, "total": {"any": 1}}""", OfCreators.class)).doesNotThrowAnyException();
	}

	@Test
	void whatMayComeAsATextIsTakenAndBound() {
		assertThat(this.mapper.readValue("""
				{"both": "a"}""", OfBoth.class).both().text()).isEqualTo("a");
	}

	/** A framework sets it. */
	static class OnlySet {

		public String name = "";

		public void setMoney(Money money) {
			throw new IllegalStateException(money.toString());
		}

	}

	/** As Groovy compiles a class. */
	static class OfGroovy {

		public String name = "";

		private @Nullable MetaClass metaClass;

		public @Nullable MetaClass getMetaClass() {
			return this.metaClass;
		}

		public void setMetaClass(MetaClass metaClass) {
			this.metaClass = metaClass;
		}

	}

	record OfBoth(Both both) {
	}

	/** A text, or an object with properties. */
	static class Both {

		private String text = "";

		private @Nullable Money money;

		Both() {
		}

		@JsonCreator
		Both(String text) {
			this.text = text;
		}

		public String text() {
			return this.text;
		}

		public @Nullable Money getMoney() {
			return this.money;
		}

		public void setMoney(Money money) {
			this.money = money;
		}

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

	/** Types that Jackson binds itself. */
	record Plain(Object any, Map<String, Object> more, JsonNode node, Number number, CharSequence text,
			Iterable<String> texts, Serializable value, Set<? extends Number> numbers) {
	}

	record Chosen(List<?> unknown, Map<?, ?> map, Optional<?> maybe, Collection<Object> objects, Instant at,
			BigDecimal amount, Thread.State state, byte[] bytes, Throwable error, Object[] array) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Shape {

	}

	record Circle() implements Shape {
	}

	record ById(Shape shape, List<Shape> shapes, Optional<Shape> maybe, Map<String, Shape> map, Shape[] array,
			@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Money money,
			@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Money> moneys,
			@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Optional<Money> optional) {

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return 1;
		}

		@Override
		public String toString() {
			return "ById";
		}

	}

	/** Nothing is bound to these. */
	static class Ignoring {

		@JsonIgnore
		public @Nullable Money money;

		@JsonIgnoreProperties("price")
		public @Nullable Line line;

		@JsonIgnoreProperties("price")
		public List<Line> lines = List.of();

		@JsonIgnoreProperties("price")
		public Optional<Line> maybe = Optional.empty();

	}

	/** They have getters alone, or are not to be read. */
	static class WrittenOnly {

		public int cents;

		public @Nullable Money getMoney() {
			return null;
		}

		public List<Money> getMoneys() {
			return List.of();
		}

		@JsonProperty(access = JsonProperty.Access.READ_ONLY)
		public @Nullable Money shown;

	}

	record OfCreators(Amount amount, Code code, Total total) {
	}

	static final class Amount {

		public @Nullable Money unused;

		private final String text;

		private Amount(String text) {
			this.text = text;
		}

		@JsonCreator
		static Amount of(String text) {
			return new Amount(text);
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	abstract static class Code {

		@JsonCreator
		static Code of(int number) {
			return new Code() {
				@Override
				public String toString() {
					return "Code " + number;
				}
			};
		}

	}

	static final class Total {

		private final Map<String, Object> all;

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Total(Map<String, Object> all) {
			this.all = all;
		}

		@Override
		public String toString() {
			return this.all.toString();
		}

	}

	record OwnDeserializers(@JsonDeserialize(using = MoneyDeserializer.class) Money money,
			@JsonDeserialize(contentUsing = MoneyDeserializer.class) List<Money> moneys,
			@JsonDeserialize(contentUsing = MoneyDeserializer.class) Optional<Money> optional,
			@JsonDeserialize(as = Coins.class) Money coins, @JsonDeserialize(contentAs = Coins.class) List<Money> many,
			@JsonDeserialize(converter = ToMoney.class) Money converted, Annotated annotated, Built built) {
	}

	record Coins(int cents) implements Money {
	}

	@JsonDeserialize(as = Coined.class)
	interface Annotated {

	}

	record Coined() implements Annotated {
	}

	static final class ToMoney extends StdConverter<String, Money> {

		@Override
		public Money convert(String text) {
			return new Coins(text.length());
		}

	}

	@JsonDeserialize(builder = Built.Builder.class)
	static final class Built {

		private final int number;

		private Built(int number) {
			this.number = number;
		}

		@Override
		public String toString() {
			return "Built " + this.number;
		}

		static final class Builder {

			private int number;

			public Builder withNumber(int number) {
				this.number = number;
				return this;
			}

			public Built build() {
				return new Built(this.number);
			}

		}

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

	static class Family {

		@JsonManagedReference
		public List<Member> members = List.of();

	}

	static class Member {

		@JsonBackReference
		public @Nullable Family family;

	}

	/** The value is there already. */
	static class Merging {

		@JsonMerge
		public Customer customer = new Customer("a", 1);

	}

	static class Outer {

		public @Nullable Inner inner;

		class Inner {

			public int value;

		}

	}

	static final class Delegating {

		public @Nullable Money unused;

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Delegating(Plain all) {
			this.unused = (all != null) ? null : new Coins(1);
		}

	}

	static class Unwrapping {

		@JsonUnwrapped
		public @Nullable Coins coins;

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	sealed interface Sealed {

		record One(Sealed other, List<Sealed> others) implements Sealed {
		}

	}

	record Endless(Optional<Endless> next, Map<String, Endless> others, Endless[] all) {

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return 1;
		}

		@Override
		public String toString() {
			return "Endless";
		}

	}

	abstract static class Above<T> {

		public @Nullable T value;

	}

	static class Inherited extends Above<Coins> {

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
