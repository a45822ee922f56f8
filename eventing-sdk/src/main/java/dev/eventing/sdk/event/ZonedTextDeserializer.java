package dev.eventing.sdk.event;

import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;

/**
 * Reads a time with an offset also from the text of a {@code ZonedDateTime}, such as
 * {@code 2026-01-31T00:30:00+01:00[Europe/Berlin]}: publisher and handler may use
 * different types for one time.
 */
final class ZonedTextDeserializer<T extends Temporal> extends StdScalarDeserializer<T> {

	private final InstantDeserializer<T> plain;

	private final InstantDeserializer<T> zoned;

	ZonedTextDeserializer(Class<T> type, InstantDeserializer<T> plain) {
		super(type);
		this.plain = plain;
		this.zoned = plain.withDateFormat(DateTimeFormatter.ISO_ZONED_DATE_TIME);
	}

	@Override
	public T deserialize(JsonParser parser, DeserializationContext context) {
		boolean hasZone = parser.hasToken(JsonToken.VALUE_STRING) && parser.getString().endsWith("]");
		return (hasZone ? this.zoned : this.plain).deserialize(parser, context);
	}

	/** A format in an annotation of the property takes precedence. */
	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		ValueDeserializer<?> own = this.plain.createContextual(context, property);
		return (own == this.plain) ? this : own;
	}

}
