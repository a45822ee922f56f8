package dev.eventing.sdk.liveview.frame;

import java.util.Comparator;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON merge patches, RFC 7396. Members of what they compare are never null, as in
 * {@link WireForm#stored}.
 */
public final class MergePatch {

	/**
	 * What was read of the database has other nodes for numbers than what was written.
	 */
	private static final Comparator<JsonNode> BY_VALUE = (one, other) -> {
		if (one instanceof NumericNode number && other instanceof NumericNode against && !number.isNaN()
				&& !against.isNaN()) {
			if (isLong(number) && isLong(against)) {
				return Long.compare(number.longValue(), against.longValue());
			}
			return WireForm.decimal(number).compareTo(WireForm.decimal(against));
		}
		return one.equals(other) ? 0 : 1;
	};

	private MergePatch() {
	}

	private static boolean isLong(NumericNode number) {
		return number.isIntegralNumber() && number.canConvertToLong();
	}

	/**
	 * The patch that turns the first into the second: an object without members if two
	 * objects are equal. What is not an object is its own patch.
	 */
	public static JsonNode between(JsonNode before, JsonNode after) {
		if (!(before instanceof ObjectNode from) || !(after instanceof ObjectNode to)) {
			return after;
		}
		ObjectNode patch = JsonNodeFactory.instance.objectNode();
		for (Map.Entry<String, JsonNode> member : to.properties()) {
			JsonNode old = from.get(member.getKey());
			if (old == null) {
				patch.set(member.getKey(), member.getValue());
			}
			else if (!old.equals(BY_VALUE, member.getValue())) {
				patch.set(member.getKey(), between(old, member.getValue()));
			}
		}
		for (String name : from.propertyNames()) {
			if (!to.has(name)) {
				patch.putNull(name);
			}
		}
		return patch;
	}

	/** Applies a patch, and changes neither argument. */
	public static JsonNode apply(@Nullable JsonNode target, JsonNode patch) {
		if (!(patch instanceof ObjectNode changes)) {
			return patch;
		}
		ObjectNode result = (target instanceof ObjectNode object) ? object.objectNode().setAll(object)
				: JsonNodeFactory.instance.objectNode();
		for (Map.Entry<String, JsonNode> member : changes.properties()) {
			if (member.getValue().isNull()) {
				result.remove(member.getKey());
			}
			else {
				result.set(member.getKey(), apply(result.get(member.getKey()), member.getValue()));
			}
		}
		return result;
	}

}
