package dev.eventing.sdk.liveview.frame;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.FloatNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The two forms of a state. As it is stored, it has no members that are null: a JSON
 * merge patch cannot set any. As it is pushed, it also has no integers that JavaScript
 * cannot hold: they are strings.
 */
public final class WireForm {

	/** The largest integer up to which JavaScript holds all of them: 2^53. */
	private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(53);

	private static final BigDecimal LARGEST_DECIMAL = new BigDecimal(LARGEST);

	private static final long LARGEST_LONG = 1L << 53;

	/** The most digits before the decimal point that the database stores. */
	private static final long MOST_DIGITS = 131_072;

	private WireForm() {
	}

	/**
	 * The same without members that are null; elements of arrays stay. The node itself if
	 * it has none.
	 */
	public static JsonNode stored(JsonNode node) {
		return hasNullMember(node) ? withoutNulls(node) : node;
	}

	private static boolean hasNullMember(JsonNode node) {
		for (JsonNode each : node) {
			if ((each.isNull() && node.isObject()) || hasNullMember(each)) {
				return true;
			}
		}
		return false;
	}

	private static JsonNode withoutNulls(JsonNode node) {
		if (node instanceof ObjectNode object) {
			ObjectNode copy = JsonNodeFactory.instance.objectNode();
			for (Map.Entry<String, JsonNode> member : object.properties()) {
				if (!member.getValue().isNull()) {
					copy.set(member.getKey(), withoutNulls(member.getValue()));
				}
			}
			return copy;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
			array.forEach((element) -> copy.add(withoutNulls(element)));
			return copy;
		}
		return node;
	}

	/** The same with integers beyond 2^53 as strings. The node itself if it has none. */
	public static JsonNode pushed(JsonNode node) {
		return hasLarge(node) ? withoutLarge(node) : node;
	}

	private static boolean hasLarge(JsonNode node) {
		if (node.isContainer()) {
			for (JsonNode each : node) {
				if (hasLarge(each)) {
					return true;
				}
			}
			return false;
		}
		return isLarge(node);
	}

	private static boolean isLarge(JsonNode node) {
		if (!node.isIntegralNumber()) {
			return isLargeDecimal(node);
		}
		if (node.canConvertToLong()) {
			long value = node.longValue();
			return value > LARGEST_LONG || value < -LARGEST_LONG;
		}
		return node.bigIntegerValue().abs().compareTo(LARGEST) > 0;
	}

	/**
	 * The database prints 1.0E16 as an integer: a frame tells the same as a read. A short
	 * text such as 1E100000000 is a number that it refuses, and that takes minutes to be
	 * printed.
	 */
	private static boolean isLargeDecimal(JsonNode node) {
		if (!(node instanceof NumericNode number) || number.isNaN()) {
			return false;
		}
		BigDecimal value = decimal(number);
		return value.abs().compareTo(LARGEST_DECIMAL) > 0 && (long) value.precision() - value.scale() <= MOST_DIGITS
				&& value.stripTrailingZeros().scale() <= 0;
	}

	private static JsonNode withoutLarge(JsonNode node) {
		if (node instanceof ObjectNode object) {
			ObjectNode copy = JsonNodeFactory.instance.objectNode();
			object.properties().forEach((member) -> copy.set(member.getKey(), withoutLarge(member.getValue())));
			return copy;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
			array.forEach((element) -> copy.add(withoutLarge(element)));
			return copy;
		}
		return (node instanceof NumericNode number && isLarge(number))
				? StringNode.valueOf(decimal(number).toBigInteger().toString()) : node;
	}

	/** The number that JSON shows. As a double, a float has more digits. */
	static BigDecimal decimal(NumericNode number) {
		return (number instanceof FloatNode) ? new BigDecimal(Float.toString(number.floatValue()))
				: number.decimalValue();
	}

}
