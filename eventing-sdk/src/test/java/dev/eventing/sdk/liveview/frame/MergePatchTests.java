package dev.eventing.sdk.liveview.frame;

import java.math.BigDecimal;
import java.util.Random;

import dev.eventing.sdk.event.EventJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class MergePatchTests {

	private static final JsonMapper MAPPER = EventJson.mapper();

	private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"a":"b"}          | {"a":"c"}          | {"a":"c"}
			{"a":"b"}          | {"a":"b","c":1}    | {"c":1}
			{"a":"b","c":1}    | {"a":"b"}          | {"c":null}
			{"a":{"b":1,"c":2}}| {"a":{"b":1}}      | {"a":{"c":null}}
			{"a":{"b":1}}      | {"a":{}}           | {"a":{"b":null}}
			{"a":5}            | {"a":{}}           | {"a":{}}
			{"a":[1,2]}        | {"a":[1,3]}        | {"a":[1,3]}
			{"a":1.50}         | {"a":1.5}          | {}
			{"a":1}            | [1]                | [1]
			[1]                | [1]                | [1]
			null               | {"a":1}            | {"a":1}
			7                  | 7                  | 7
			""")
	void makesThePatchThatRfc7396Applies(String before, String after, String patch) {
		JsonNode from = MAPPER.readTree(before);
		JsonNode to = MAPPER.readTree(after);
		JsonNode made = MergePatch.between(from, to);
		assertThat(made).isEqualTo(MAPPER.readTree(patch));
		if (!patch.equals("{}")) {
			assertThat(MergePatch.apply(from, made)).isEqualTo(to);
		}
	}

	@Test
	void leadsFromAnyStateToAnyOther() {
		Random random = new Random(7396);
		JsonNode state = NODES.nullNode();
		for (int round = 0; round < 20_000; round++) {
			JsonNode next = WireForm.stored(node(random, 0));
			JsonNode before = state.deepCopy();
			JsonNode patch = MergePatch.between(state, next);
			assertThat(MergePatch.apply(state, MAPPER.readTree(patch.toString()))).isEqualTo(next);
			assertThat(state).as("not changed").isEqualTo(before);
			state = next;
		}
	}

	/** What was read has the digits of its JSON, and no more. */
	@Test
	void hasNoFloatThatIsTheSame() {
		JsonNode stored = MAPPER.readTree("{\"a\":0.1,\"b\":0.2}");
		JsonNode next = MAPPER.valueToTree(new Floats(0.1f, 0.3f));
		assertThat(MergePatch.between(stored, next)).hasToString("{\"b\":0.3}");
	}

	record Floats(float a, float b) {
	}

	private static JsonNode node(Random random, int depth) {
		return switch (random.nextInt((depth > 3) ? 4 : 7)) {
			case 0 -> NODES.numberNode(random.nextInt(3));
			case 1 -> NODES.stringNode("s" + random.nextInt(3));
			case 2 -> NODES.booleanNode(random.nextBoolean());
			case 3 -> (depth > 0) ? NODES.nullNode() : NODES.objectNode();
			case 4 -> {
				ArrayNode array = NODES.arrayNode();
				for (int each = random.nextInt(3); each > 0; each--) {
					array.add(node(random, depth + 1));
				}
				yield array;
			}
			default -> {
				ObjectNode object = NODES.objectNode();
				for (int each = random.nextInt(5); each > 0; each--) {
					object.set("m" + random.nextInt(5), node(random, depth + 1));
				}
				yield object;
			}
		};
	}

	@Test
	void pushesIntegersThatJavaScriptCannotHoldAsStrings() {
		JsonNode state = MAPPER
			.readTree("{\"a\":[9007199254740993,{\"b\":-9007199254740993}],\"c\":9007199254740992,\"d\":12.5}");
		assertThat(WireForm.pushed(state)).hasToString(
				"{\"a\":[\"9007199254740993\",{\"b\":\"-9007199254740993\"}],\"c\":9007199254740992,\"d\":12.5}");
		assertThat(WireForm.pushed(NODES.numberNode(1.0E16))).as("as the database prints it")
			.isEqualTo(WireForm.pushed(MAPPER.readTree("10000000000000000")));
		JsonNode large = NODES.numberNode(Float.parseFloat("1.0E17"));
		assertThat(WireForm.pushed(large)).as("a float as it is stored")
			.isEqualTo(WireForm.pushed(MAPPER.readTree(MAPPER.writeValueAsString(large))));
		JsonNode small = MAPPER.readTree("{\"a\":1}");
		assertThat(WireForm.pushed(small)).isSameAs(small);
		JsonNode refused = NODES.numberNode(new BigDecimal("1E100000000"));
		assertThat(WireForm.pushed(refused)).as("no database stores it").isSameAs(refused);
	}

}
