package dev.eventing.sdk.projector;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/** Reads and creates records by the names of their components. */
final class RecordValues {

	private RecordValues() {
	}

	/** Returns the values of a record by name, without those that are null. */
	static Map<String, Object> of(Record of) {
		Map<String, Object> values = new HashMap<>();
		for (RecordComponent component : of.getClass().getRecordComponents()) {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), of);
			if (value != null) {
				values.put(component.getName(), value);
			}
		}
		return values;
	}

	/**
	 * Creates a record.
	 * @param values returns a value by name and type, or null
	 */
	static <R extends Record> R create(Class<R> type, BiFunction<String, Class<?>, @Nullable Object> values) {
		RecordComponent[] components = type.getRecordComponents();
		@Nullable Object[] arguments = new Object[components.length];
		for (int i = 0; i < components.length; i++) {
			arguments[i] = values.apply(components[i].getName(), components[i].getType());
		}
		return BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(type), arguments);
	}

	/**
	 * Returns the first record. Values that it does not have come from the second, also
	 * those of records in it.
	 */
	static <R extends Record> R merge(R first, R second) {
		Map<String, Object> values = of(second);
		of(first).forEach((name, value) -> values.merge(name, value, RecordValues::mergeValues));
		@SuppressWarnings("unchecked")
		Class<R> type = (Class<R>) first.getClass();
		return create(type, (name, any) -> values.get(name));
	}

	private static Object mergeValues(Object second, Object first) {
		return (first instanceof Record values) ? merge(values, (Record) second) : first;
	}

	/** Returns null in place of {@code INHERIT}. */
	static <E extends Enum<E>> @Nullable E unlessInherited(@Nullable E value) {
		return (value != null && !value.name().equals("INHERIT")) ? value : null;
	}

	static <E> @Nullable Set<E> copy(@Nullable Set<E> values) {
		return (values != null) ? Set.copyOf(values) : null;
	}

}
