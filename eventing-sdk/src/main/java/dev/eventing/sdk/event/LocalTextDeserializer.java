package dev.eventing.sdk.event;

import java.time.temporal.Temporal;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.ext.javatime.deser.JSR310DateTimeDeserializerBase;
import tools.jackson.databind.type.LogicalType;

/**
 * Reads a local date or time from its own text only. Jackson also takes a text with more
 * in it and drops the rest, such as the {@code Z} of {@code 2026-01-31T23:30:00Z}, which
 * is the next day in Berlin, or the day of a time; and takes a number for days since
 * 1970.
 */
final class LocalTextDeserializer<T extends Temporal> extends StdScalarDeserializer<T> {

	/** Neither of a date nor of a time alone. */
	static final Pattern DATE_AND_TIME = Pattern.compile("T");

	/** Not of a date and time. Jackson drops white space. */
	static final Pattern ZONE = Pattern.compile("Z[\\x00-\\x20]*$");

	private final JSR310DateTimeDeserializerBase<T> plain;

	private final Pattern more;

	/**
	 * Creates a deserializer.
	 * @param more must not be found in a text
	 */
	LocalTextDeserializer(Class<T> type, JSR310DateTimeDeserializerBase<T> plain, Pattern more) {
		super(type);
		this.plain = plain;
		this.more = more;
	}

	@Override
	public T deserialize(JsonParser parser, DeserializationContext context) {
		if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			return context.reportInputMismatch(this, "a number is no local date or time");
		}
		if (parser.hasToken(JsonToken.VALUE_STRING) && this.more.matcher(parser.getString()).find()) {
			return context.reportInputMismatch(this, "the text is that of more than a local date or time");
		}
		return this.plain.deserialize(parser, context);
	}

	@Override
	public LogicalType logicalType() {
		return LogicalType.DateTime;
	}

	/**
	 * A format in an annotation of the property takes precedence: a pattern, a number, or
	 * leniency. {@code Shape.STRING} alone says nothing new.
	 */
	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		JsonFormat.Value format = findFormatOverrides(context, property, handledType());
		boolean own = format != null && (format.hasPattern() || format.hasLenient()
				|| (format.hasShape() && format.getShape() != JsonFormat.Shape.STRING));
		return own ? this.plain.createContextual(context, property) : this;
	}

}
