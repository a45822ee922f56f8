package dev.eventing.sdk.event;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.eventing.sdk.event.EventJsonForm.bound;
import static dev.eventing.sdk.event.EventJsonForm.isKept;
import static dev.eventing.sdk.event.EventJsonForm.isRefused;
import static dev.eventing.sdk.event.EventJsonForm.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The form of stored events. What fails here makes older events unreadable. */
class EventJsonTests {

	@Nested
	class Absent {

		@Test
		void isTheDefaultOfAPrimitiveComponent() {
			assertThat(bound("{\"account\":\"a\"}", Grown.class))
				.isEqualTo(new Grown("a", 0, 0, false, 0, '\0', (byte) 0, (short) 0, 0));
			assertThat(bound("{}", Primitive.class)).isEqualTo(new Primitive(0));
		}

		@Test
		void isTheDefaultOfAPrimitiveParameterAndField() {
			assertThat(bound("{\"account\":\"a\"}", Constructed.class).amount).isZero();
			assertThat(bound("{\"account\":\"a\"}", Settable.class).amount).isEqualTo(7);
			assertThat(bound("{\"kind\":\"card\"}", Payment.class)).isEqualTo(new Card(null, 0));
			assertThat(bound("{\"number\":\"1\",\"kind\":\"card\"}", Payment.class)).isEqualTo(new Card("1", 0));
		}

		@Test
		void isNotNullWhichIsRefusedForAPrimitive() {
			isRefused("{\"account\":\"a\",\"total\":null}", Grown.class);
			isRefused("{\"value\":null}", Primitive.class);
			isRefused("{\"amount\":null}", Settable.class);
			isRefused("{\"limit\":null,\"kind\":\"card\"}", Payment.class);
			isRefused("{\"kind\":\"card\",\"limit\":null}", Payment.class);
		}

		@Test
		void isEmptyOrNullForOtherTypes() {
			assertThat(bound("{}", Optionals.class)).isEqualTo(
					new Optionals(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(), null, null, null));
			assertThat(bound("{\"text\":null,\"number\":null,\"big\":null}", Optionals.class)).isEqualTo(
					new Optionals(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(), null, null, null));
			isKept(new Optionals(Optional.of("a"), OptionalInt.of(1), OptionalLong.of(2), 3L, List.of("b"), "c"),
					"{\"text\":\"a\",\"number\":1,\"big\":2,\"boxed\":3,\"list\":[\"b\"],\"nullable\":\"c\"}");
		}

		@Test
		void isWhatAnAnnotationSpecifies() {
			assertThat(bound("{}", Lenient.class)).isEqualTo(new Lenient(0));
			assertThat(bound("{\"amount\":null}", Lenient.class)).isEqualTo(new Lenient(0));
			isRefused("{}", Required.class);
		}

	}

	@Nested
	class Numbers {

		@Test
		void keepTheirDigits() {
			isKept(new Amounts(new BigDecimal("1.10"), new BigInteger("123456789012345678901234567890"), Long.MAX_VALUE,
					0.1),
					"{\"decimal\":1.10,\"integer\":123456789012345678901234567890,\"number\":9223372036854775807,"
							+ "\"real\":0.1}");
			JsonNode node = bound("{\"a\":12345678901234567.890}", JsonNode.class);
			assertThat(node.get("a").decimalValue()).isEqualTo(new BigDecimal("12345678901234567.890"));
			assertThat(EventJson.mapper().readTree("12345678901234567.890").decimalValue())
				.isEqualTo(new BigDecimal("12345678901234567.890"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "12.75", "12.0", "9223372036854775808", "1e400", "\"12.75\"", "true", "\"twelve\"" })
		void areRefusedForAWholeTypeThatCannotHoldThem(String number) {
			isRefused("{\"value\":" + number + "}", WholeNumber.class);
			isRefused("{\"value\":" + number + "}", Primitive.class);
		}

		@Test
		void mayBeTexts() {
			assertThat(bound("{\"value\":\"12\"}", WholeNumber.class)).isEqualTo(new WholeNumber(12L));
		}

	}

	@Nested
	class OtherTypes {

		@ParameterizedTest
		@ValueSource(strings = { "number", "decimal", "real", "open", "id", "date", "local", "offset", "instant",
				"duration" })
		void haveNoValueForAnEmptyText(String name) {
			isRefused("{\"" + name + "\":\"\"}", Emptiable.class);
			isRefused("{\"" + name + "\":\" \"}", Emptiable.class);
		}

		@Test
		void takeNoNumberForABooleanOrACharacter() {
			isRefused("12", Boolean.class);
			isRefused("1", boolean.class);
			isRefused("65", Character.class);
			isRefused("65", char.class);
			assertThat(bound("\"true\"", Boolean.class)).isTrue();
			assertThat(bound("\"A\"", Character.class)).isEqualTo('A');
		}

		@Test
		void thatAreWrittenAsAnEmptyTextAreKept() {
			assertThat(bound("\"\"", String.class)).isEmpty();
			assertThat(bound("\"\"", byte[].class)).isEmpty();
			assertThat(bound("\"\"", URI.class)).isEqualTo(URI.create(""));
			assertThat(bound("\"\"", Locale.class)).isEqualTo(Locale.ROOT);
		}

	}

	@Nested
	class Enums {

		@Test
		void areTheirTexts() {
			isKept(new Coloured(Colour.RED, Map.of(Colour.GREEN, 1)),
					"{\"colour\":\"RED\",\"byColour\":{\"GREEN\":1}}");
			isKept(new Named(Name.FIRST), "{\"name\":\"1st\"}");
		}

		@ParameterizedTest
		@ValueSource(strings = { "0", "\"0\"", "\"red\"", "\"BLUE\"", "\"\"" })
		void areRefusedIfTheyAreNoneOfTheConstants(String constant) {
			isRefused("{\"colour\":" + constant + "}", Coloured.class);
		}

	}

	@Nested
	class Properties {

		@Test
		void haveTheNamesOfComponentsGettersAndPublicFields() {
			isKept(new Order("1", true, "x", UUID.fromString("0195f2c4-7b1a-7c3e-8f00-0123456789ab"), 0),
					"{\"orderId\":\"1\",\"isOpen\":true,\"URL\":\"x\","
							+ "\"uuid\":\"0195f2c4-7b1a-7c3e-8f00-0123456789ab\",\"size\":0}");
			assertThat(written(new Settable())).isEqualTo("{\"amount\":7,\"open\":false}");
		}

		@Test
		void areIgnoredIfUnknown() {
			assertThat(bound("{\"value\":1,\"new\":{\"a\":[1]}}", Primitive.class)).isEqualTo(new Primitive(1));
		}

		@Test
		void areWrittenIfNull() {
			assertThat(written(new Nullables(null, List.of(), Optional.empty())))
				.isEqualTo("{\"text\":null,\"list\":[],\"optional\":null}");
		}

		@Test
		void areNotBoundInAnotherCase() {
			assertThat(bound("{\"order_id\":\"1\",\"ORDERID\":\"2\"}", Order.class).orderId()).isNull();
		}

		@Test
		void areThereUnlessTheTypeIsARecord() {
			isKept(new Emptied(), "{}");
			assertThatExceptionOfType(PayloadWritingException.class).isThrownBy(() -> written(new Hidden("a")))
				.withMessageContaining("Hidden");
		}

		@Test
		void inMapsAreNotNamedByRecordsThatHaveNoText() {
			assertThatExceptionOfType(PayloadWritingException.class)
				.isThrownBy(() -> written(new ByKey(Map.of(new Key("a"), 1))))
				.withMessageContaining("ByKey");
			isKept(new ByText(Map.of(new TextKey("a"), 1), Map.of(new ValueKey("b"), 2)),
					"{\"byText\":{\"a\":1},\"byValue\":{\"b\":2}}");
		}

		@Test
		void ofBytesAreBase64() {
			assertThat(written(Map.of("bytes", new byte[] { -1, -17, 0 }))).isEqualTo("{\"bytes\":\"/+8A\"}");
			assertThat(bound("\"/+8A\"", byte[].class)).containsExactly(-1, -17, 0);
		}

	}

	@Nested
	class Subtypes {

		@Test
		void areNamedByAnnotationsOnly() {
			assertThat(written(new Card("1", 2))).isEqualTo("{\"kind\":\"card\",\"number\":\"1\",\"limit\":2}");
			assertThat(bound("{\"limit\":2,\"number\":\"1\",\"kind\":\"card\"}", Payment.class))
				.isEqualTo(new Card("1", 2));
			isRefused("{\"kind\":\"cash\"}", Payment.class);
			isRefused("{\"number\":\"1\"}", Payment.class);
			assertThat(bound("{\"any\":{\"@class\":\"java.lang.Object\"}}", Holder.class).any())
				.isEqualTo(Map.of("@class", "java.lang.Object"));
		}

	}

	record Key(String value) {
	}

	record TextKey(String value) {

		@Override
		public String toString() {
			return this.value;
		}

	}

	record ValueKey(@JsonValue String value) {
	}

	record ByKey(Map<Key, Integer> byKey) {
	}

	record ByText(Map<TextKey, Integer> byText, Map<ValueKey, Integer> byValue) {
	}

	record Emptiable(@Nullable Long number, @Nullable BigDecimal decimal, @Nullable Double real, @Nullable Boolean open,
			@Nullable UUID id, @Nullable LocalDate date, @Nullable LocalDateTime local, @Nullable OffsetDateTime offset,
			@Nullable Instant instant, @Nullable Duration duration) {
	}

	record Grown(String account, int number, long total, boolean open, double rate, char code, byte small, short medium,
			float real) {
	}

	record Primitive(long value) {
	}

	record WholeNumber(Long value) {
	}

	record Lenient(@JsonSetter(nulls = Nulls.AS_EMPTY) long amount) {
	}

	record Required(@JsonProperty(required = true) long amount) {
	}

	record Optionals(Optional<String> text, OptionalInt number, OptionalLong big, @Nullable Long boxed,
			@Nullable List<String> list, @Nullable String nullable) {
	}

	record Amounts(BigDecimal decimal, BigInteger integer, long number, double real) {
	}

	record Coloured(Colour colour, Map<Colour, Integer> byColour) {
	}

	enum Colour {

		RED, GREEN

	}

	record Named(Name name) {
	}

	enum Name {

		FIRST;

		@Override
		public String toString() {
			return "1st";
		}

	}

	record Order(@Nullable String orderId, boolean isOpen, String URL, UUID uuid, int size) {
	}

	record Nullables(@Nullable String text, List<String> list, Optional<String> optional) {
	}

	record Holder(Object any) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Card.class, name = "card"))
	sealed interface Payment permits Card {

	}

	record Card(@Nullable String number, int limit) implements Payment {
	}

	record Emptied() {
	}

	/** Nothing of it could be read back. */
	static final class Hidden {

		private final String account;

		Hidden(String account) {
			this.account = account;
		}

		@Override
		public String toString() {
			return this.account;
		}

	}

	static final class Constructed {

		private final String account;

		private final long amount;

		@JsonCreator
		Constructed(String account, long amount) {
			this.account = account;
			this.amount = amount;
		}

		String account() {
			return this.account;
		}

	}

	/** As many applications have them: fields with getters and setters. */
	public static final class Settable {

		private long amount = 7;

		private boolean open;

		private final String hidden = "private";

		public long getAmount() {
			return this.amount;
		}

		public void setAmount(long amount) {
			this.amount = amount;
		}

		public boolean isOpen() {
			return this.open;
		}

		public void setOpen(boolean open) {
			this.open = open;
		}

		String hidden() {
			return this.hidden;
		}

	}

}
