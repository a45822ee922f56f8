package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnboundPayloadTests {

	private static UnboundPayload payload(String json) {
		return UnboundPayload.of(json.getBytes(StandardCharsets.UTF_8), EventJson.mapper());
	}

	@Test
	void bindsToARecordAndIgnoresWhatItDoesNotKnow() {
		Order order = payload(
				"{\"id\":\"7\",\"at\":\"2026-01-31T12:00:00Z\",\"total\":1.10,\"lines\":[{\"n\":2}],\"new\":1}")
			.bind(Order.class);
		assertThat(order).isEqualTo(
				new Order("7", Instant.parse("2026-01-31T12:00:00Z"), new BigDecimal("1.10"), List.of(new Line(2))));
	}

	@Test
	void anErasedOneIsDroppedWhateverItIsBoundTo() {
		UnboundPayload erased = UnboundPayload.erased("order.placed", EventJson.mapper());
		for (Class<?> type : List.of(Order.class, JsonNode.class, Map.class, Object.class)) {
			assertThat(erased.bindKept(type)).isEmpty();
			assertThat(erased.newerThan(type)).isNull();
			assertThatExceptionOfType(DroppedEventException.class).isThrownBy(() -> erased.bind(type))
				.withMessageContaining("'order.placed' was erased");
		}
		assertThat(erased.writtenAs("order.placed", 3).isErased()).isTrue();
		assertThat(erased.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
		assertThat(payload("{}").isErased()).isFalse();
	}

	@Test
	void bindsToTreesMapsStringsAndGenericTypes() {
		assertThat(payload("{\"a\":1}").<JsonNode>bind(JsonNode.class).get("a").intValue()).isOne();
		assertThat(payload("{\"a\":1}").<Map<String, Object>>bind(Map.class)).isEqualTo(Map.of("a", 1));
		assertThat(payload("\"text\"").<String>bind(String.class)).isEqualTo("text");
		Type lines = new TypeReference<List<Line>>() {
		}.getType();
		assertThat(payload("[{\"n\":1}]").<List<Line>>bind(lines)).containsExactly(new Line(1));
	}

	@Test
	void keepsEveryDigitOfAFractionInATree() {
		JsonNode tree = payload("{\"total\":0.12345678901234567890,\"plain\":1.50}").bind(JsonNode.class);
		assertThat(tree.get("total").decimalValue()).isEqualTo(new BigDecimal("0.12345678901234567890"));
		assertThat(tree.get("plain").decimalValue()).isEqualByComparingTo("1.5");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"n\":1}", " {\"n\":1}", "\n\t{\"n\":1} ", "\uFEFF{\"n\":1}" })
	void bindsAnObjectWhateverSpaceIsAroundIt(String json) {
		assertThat(payload(json).<Line>bind(Line.class)).isEqualTo(new Line(1));
	}

	@Test
	void bindsToTheClassesOfASealedType() {
		assertThat(payload("{\"kind\":\"card\",\"digits\":4}").<Means>bind(Means.class)).isEqualTo(new Card(4));
		assertThat(payload("{\"kind\":\"cash\",\"coins\":2}").<Means>bind(Means.class)).isEqualTo(new Cash(2));
		assertThat(payload("{\"kind\":\"cash\",\"coins\":2}").<Cash>bind(Cash.class)).isEqualTo(new Cash(2));
	}

	@Test
	void bindsAnewEachTime() {
		UnboundPayload payload = payload("{\"a\":1}");
		Map<String, Object> first = payload.bind(Map.class);
		first.clear();
		assertThat(payload.<Map<String, Object>>bind(Map.class)).isEqualTo(Map.of("a", 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "null", " null " })
	void refusesNothingAtAll(String json) {
		for (Class<?> type : List.of(Order.class, JsonNode.class, Optional.class, int.class)) {
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> payload(json).bind(type))
				.withMessageContaining("it is empty or JSON null");
		}
	}

	@Test
	void showsItsSizeOnly() {
		assertThat(payload("\"secret\"")).hasToString("UnboundPayload[bytes=8]");
	}

	@Nested
	class WhenThePayloadDoesNotFit {

		@ParameterizedTest
		@ValueSource(strings = { "{\"id\":\"SECRET", "{\"lines\":[{\"n\":\"SECRET\"}]}", "{\"total\":\"SECRET\"}",
				"{\"at\":\"SECRET\"}", "\"SECRET\"", "[\"SECRET\"]", "SECRET", "{\"id\":{\"SECRET\":1}}",
				"{\"lines\":[{\"n\":-666}]}", "{\"id\":\"1\"} SECRET", "{\"id\":\"\u0001SECRET\"}" })
		void neverTellsItsContent(String json) {
			assertThatExceptionOfType(PayloadBindingException.class).isThrownBy(() -> payload(json).bind(Order.class))
				.withNoCause()
				.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty())
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("SECRET", "666")
					.contains(Order.class.getTypeName()));
		}

		@Test
		void tellsWhere() {
			assertThatExceptionOfType(PayloadBindingException.class)
				.isThrownBy(() -> payload("{\"lines\":[{\"n\":1},\n{\"n\":\"x\"}]}").bind(Order.class))
				.withMessageContainingAll("at lines[1].n, line 2, column ", ", where int is expected. Consider");
		}

		@Test
		void doesNotTellTheKeysOfMaps() {
			Type type = new TypeReference<Map<String, Integer>>() {
			}.getType();
			assertThatExceptionOfType(PayloadBindingException.class)
				.isThrownBy(() -> payload("{\"SECRET\":\"x\"}").bind(type))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("SECRET").contains("at *, line 1"));
		}

		@Test
		void survivesDepthAndLengthBeyondTheLimits() {
			for (String json : List.of("[".repeat(100_000), "{\"a\":".repeat(100_000), "9".repeat(100_000),
					"{\"total\":1e999999999}", "\"" + "\\u0000".repeat(10) + "\"")) {
				assertThatExceptionOfType(PayloadBindingException.class).as(json.substring(0, 10))
					.isThrownBy(() -> payload(json).bind(Limits.class));
			}
		}

		@Test
		void refusesBytesThatAreNoUtf8() {
			byte[] bytes = { '"', (byte) 0xC3, '"' };
			assertThatExceptionOfType(PayloadBindingException.class)
				.isThrownBy(() -> UnboundPayload.of(bytes, EventJson.mapper()).bind(String.class));
		}

	}

	record Order(String id, Instant at, BigDecimal total, List<Line> lines) {

	}

	record Line(int n) {

		Line {
			if (n < 0) {
				throw new IllegalArgumentException("Not " + n);
			}
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Card.class, name = "card"),
			@JsonSubTypes.Type(value = Cash.class, name = "cash") })
	sealed interface Means {

	}

	record Card(int digits) implements Means {

	}

	record Cash(int coins) implements Means {

	}

	record Limits(int total, Object a) {

	}

}
