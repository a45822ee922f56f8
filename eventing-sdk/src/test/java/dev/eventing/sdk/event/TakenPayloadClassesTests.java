package dev.eventing.sdk.event;

import java.io.Serializable;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
import dev.eventing.sdk.event.PayloadClassesTests.Coins;
import dev.eventing.sdk.event.PayloadClassesTests.Customer;
import dev.eventing.sdk.event.PayloadClassesTests.Line;
import dev.eventing.sdk.event.PayloadClassesTests.Money;
import dev.eventing.sdk.event.PayloadClassesTests.MoneyDeserializer;
import groovy.lang.MetaClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.StdConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Payload classes that a start must not refuse, because Jackson can construct all of
 * them.
 */
@SuppressWarnings("ArrayRecordComponent")
class TakenPayloadClassesTests {

	private final JsonMapper mapper = EventJson.mapper();

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
		assertThat(PayloadClasses.problem(this.mapper, type)).isNull();
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

}
