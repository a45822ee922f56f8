package dev.eventing.sdk.event;

import java.util.Locale;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object in the body that holds an envelope. It has its own mapper, not that of
 * the payload. The mapper rejects names that occur twice, because two readers could take
 * different tenants from them. Decimal numbers keep every digit.
 */
final class JsonBody {

	private static final JsonMapper MAPPER = EventJson.mapper()
		.rebuild()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.build();

	/**
	 * For bodies with numbers that {@code BigDecimal} cannot hold. Their payload is not
	 * used.
	 */
	private static final JsonMapper APPROXIMATE = MAPPER.rebuild()
		.disable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private static final byte[] NOTHING = {};

	private final JsonNode object;

	private final Attributes attributes;

	private JsonBody(JsonNode object, Attributes attributes) {
		this.object = object;
		this.attributes = attributes;
	}

	/** Parses the body. Records an error and returns null if it is not a JSON object. */
	static @Nullable JsonBody parse(byte[] body, Attributes attributes) {
		try {
			JsonNode node = read(body, attributes);
			if (node.isObject()) {
				return new JsonBody(node, attributes);
			}
			attributes.error(Reason.NOT_JSON, "By its headers the event is in the body, which is "
					+ (node.isMissingNode() ? "empty" : describe(node)) + ". " + hint());
		}
		catch (JacksonException ex) {
			attributes.error(Reason.NOT_JSON, "By its headers the event is in the body, which is no valid JSON ("
					+ ex.getClass().getSimpleName() + JsonPlace.of(ex) + "). " + hint());
		}
		return null;
	}

	private static JsonNode read(byte[] body, Attributes attributes) {
		try {
			return MAPPER.readTree(body);
		}
		catch (ArithmeticException | NumberFormatException ex) {
			// The other attributes are still read, to find the event's tenant.
			attributes.error(Reason.INVALID_NUMBER,
					"A number in the body has an exponent that is too large. Consider a text.");
			return APPROXIMATE.readTree(body);
		}
	}

	private static String hint() {
		return "Consider the CloudEvents headers 'ce-id', 'ce-type', 'ce-source' and '" + Attribute.TENANT_HEADER
				+ "', or an envelope that is one JSON object.";
	}

	/** The object with this name; an empty object if there is none. */
	JsonBody object(String name) {
		JsonNode child = this.object.get(name);
		if (child == null || child.isNull() || isEmpty(child)) {
			return new JsonBody(MAPPER.createObjectNode(), this.attributes);
		}
		if (!child.isObject()) {
			this.attributes.error(Reason.INVALID_HEADER,
					"'" + name + "' in the body is " + describe(child) + ". Consider a JSON object.");
			return new JsonBody(MAPPER.createObjectNode(), this.attributes);
		}
		return new JsonBody(child, this.attributes);
	}

	/** What some publishers write in place of an object without properties. */
	private static boolean isEmpty(JsonNode node) {
		return (node.isArray() && node.isEmpty()) || (node.isString() && node.stringValue().isBlank());
	}

	/** Records the attribute from the first of these names that the object has. */
	void take(Attribute attribute, String... names) {
		for (String name : names) {
			JsonNode node = this.object.get(name);
			if (node == null || node.isNull()) {
				continue;
			}
			if (node.isString() || (node.isNumber() && attribute.mayBeNumber())) {
				this.attributes.put(attribute, "attribute '" + name + "'", node.asString());
			}
			else {
				this.attributes.malformed(attribute, node.toString(),
						"The attribute '" + name + "' is " + describe(node) + ". Consider "
								+ (attribute.mayBeNumber() ? "a string or a number." : "a string."));
			}
			return;
		}
	}

	/** Claims the tenant with this name, even if its value is not a string. */
	void claimTenant(String name) {
		JsonNode node = this.object.get(name);
		if (node != null && !node.isNull()) {
			// The description has spaces, so it is never a valid tenant.
			this.attributes.tenants()
				.add("attribute '" + name + "'", node.isString() ? node.stringValue() : describe(node));
		}
	}

	boolean has(String name) {
		JsonNode node = this.object.get(name);
		return node != null && !node.isNull();
	}

	/** The string with this name, or null if there is none or it is not a string. */
	@Nullable String string(String name) {
		JsonNode node = this.object.get(name);
		return (node != null && node.isString()) ? node.stringValue() : null;
	}

	/** The JSON bytes of the value with this name; empty if there is none. */
	byte[] bytes(String name) {
		JsonNode node = this.object.get(name);
		return (node != null) ? MAPPER.writeValueAsBytes(node) : NOTHING;
	}

	private static String describe(JsonNode node) {
		return "a JSON " + node.getNodeType().name().toLowerCase(Locale.ROOT);
	}

}
