package dev.eventing.sdk.event;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Refuses keys of maps that have no text of their own. Jackson writes them by
 * {@code toString()}, which for a record is {@code Id[value=1]}, and reads that text as
 * the value of a record of one text.
 */
final class TextKeys extends Serializers.Base {

	@Override
	public @Nullable ValueSerializer<?> findSerializer(SerializationConfig config, JavaType type,
			BeanDescription.Supplier bean, JsonFormat.@Nullable Value format) {
		boolean byToString = type.isRecordType() && bean.get().findJsonKeyAccessor() == null
				&& bean.get().findJsonValueAccessor() == null;
		return byToString ? new RecordKey() : null;
	}

	private static final class RecordKey extends StdSerializer<Object> {

		RecordKey() {
			super(Object.class);
		}

		@Override
		public void serialize(Object key, JsonGenerator generator, SerializationContext context) {
			String text = key.toString();
			if (text.startsWith(key.getClass().getSimpleName() + "[") && text.endsWith("]")) {
				context.reportBadDefinition(key.getClass(),
						"a map cannot have keys of this record, which has no @JsonKey, @JsonValue or toString() of its own");
			}
			generator.writeName(text);
		}

	}

}
