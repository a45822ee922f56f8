package dev.eventing.sdk.event;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.NullValueProvider;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.util.AccessPattern;
import tools.jackson.databind.util.ClassUtil;

/**
 * A primitive component of a record, or parameter of a constructor, that is absent in the
 * JSON has the default of its type, so that a class can gain one and still bind older
 * events. Jackson has one setting for absent and null; null is refused here.
 */
final class AbsentPrimitives extends ValueInstantiators.Base {

	@Override
	public ValueInstantiator modifyValueInstantiator(DeserializationConfig config, BeanDescription.Supplier bean,
			ValueInstantiator instantiator) {
		SettableBeanProperty[] arguments = instantiator.getFromObjectArguments(config);
		boolean concerned = arguments != null
				&& Arrays.stream(arguments).anyMatch((argument) -> argument.getType().isPrimitive());
		return concerned ? new Instantiator(instantiator, config) : instantiator;
	}

	private static SettableBeanProperty withDefault(SettableBeanProperty argument) {
		return argument.getType().isPrimitive()
				? argument.withNullProvider(new Absent(argument.getFullName(), argument.getType())) : argument;
	}

	/** Jackson compares arguments by identity, so all callers get the same ones. */
	private static final class Instantiator extends ValueInstantiator.Delegating {

		private static final long serialVersionUID = 1L;

		private final SettableBeanProperty[] arguments;

		private final DeserializationConfig config;

		Instantiator(ValueInstantiator delegate, DeserializationConfig config) {
			super(delegate);
			this.config = config;
			this.arguments = Arrays.stream(delegate.getFromObjectArguments(config))
				.map(AbsentPrimitives::withDefault)
				.toArray(SettableBeanProperty[]::new);
		}

		@Override
		public ValueInstantiator createContextual(DeserializationContext context, BeanDescription.Supplier bean) {
			ValueInstantiator contextual = delegate().createContextual(context, bean);
			return (contextual == delegate()) ? this : new Instantiator(contextual, this.config);
		}

		@Override
		public boolean canCreateFromBigInteger() {
			return delegate().canCreateFromBigInteger();
		}

		@Override
		public boolean canCreateFromBigDecimal() {
			return delegate().canCreateFromBigDecimal();
		}

		@Override
		public SettableBeanProperty[] getFromObjectArguments(DeserializationConfig any) {
			return this.arguments;
		}

	}

	/** In place of a value that is null or absent. */
	private static final class Absent implements NullValueProvider {

		private final PropertyName name;

		private final JavaType type;

		private final Object value;

		Absent(PropertyName name, JavaType type) {
			this.name = name;
			this.type = type;
			this.value = ClassUtil.defaultValue(type.getRawClass());
		}

		@Override
		public @Nullable Object getNullValue(DeserializationContext context) {
			throw InvalidNullException.from(context, this.name, this.type);
		}

		@Override
		public Object getAbsentValue(DeserializationContext context) {
			return this.value;
		}

		@Override
		public AccessPattern getNullAccessPattern() {
			return AccessPattern.DYNAMIC;
		}

	}

}
