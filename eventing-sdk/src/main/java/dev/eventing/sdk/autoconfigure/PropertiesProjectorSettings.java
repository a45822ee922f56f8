package dev.eventing.sdk.autoconfigure;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.autoconfigure.EventingProperties.DeadLetters;
import dev.eventing.sdk.autoconfigure.EventingProperties.Settings;
import dev.eventing.sdk.projector.DeadLetterSettings;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Reads {@code eventing.projector.defaults.*} and {@code eventing.projectors.<name>.*}.
 * The name need not be written as in the code: {@code user-projector},
 * {@code UserProjector} and {@code USERPROJECTOR} in an environment variable are the
 * same, as in all of Boot's properties.
 */
final class PropertiesProjectorSettings implements ProjectorSettingsSource {

	private final ProjectorSettings defaults;

	private final Map<String, Settings> projectors;

	private final Set<String> unused;

	/** The projectors that have asked, by the names in the properties. */
	private final Map<String, String> asked = new ConcurrentHashMap<>();

	PropertiesProjectorSettings(EventingProperties properties, Environment environment) {
		this.defaults = settings("eventing.projector.defaults", properties.projector().defaults());
		this.projectors = NameSpellings.once("eventing.projectors", properties.projectors(), environment);
		this.unused = ConcurrentHashMap.newKeySet();
		this.unused.addAll(this.projectors.keySet());
	}

	@Override
	public ProjectorSettings defaults() {
		return this.defaults;
	}

	@Override
	public ProjectorSettings forProjector(String name) {
		String property = propertyNameOf(name);
		if (property == null) {
			return ProjectorSettings.NONE;
		}
		String other = this.asked.putIfAbsent(property, name);
		if (other != null && !other.equals(name)) {
			throw NameSpellings.refused("eventing.projectors", other, name);
		}
		this.unused.remove(property);
		return settings("eventing.projectors." + property, this.projectors.get(property));
	}

	/** The names of projectors in properties that were never requested. */
	Set<String> unused() {
		return Set.copyOf(this.unused);
	}

	/** The name as written in the properties, or null if they do not contain it. */
	private @Nullable String propertyNameOf(String name) {
		String uniform = NameSpellings.uniform(name);
		return this.projectors.keySet()
			.stream()
			.filter((each) -> NameSpellings.uniform(each).equals(uniform))
			.findFirst()
			.orElse(null);
	}

	static ProjectorSettings settings(String prefix, @Nullable Settings said) {
		if (said == null) {
			return ProjectorSettings.NONE;
		}
		return ProjectorSettings.builder()
			.deliverPolicy(said.deliverPolicy())
			.maxDeliver(said.maxDeliver())
			.ackWait(said.ackWait())
			.maxAckPending(said.maxAckPending())
			.batchSize(said.batchSize())
			.concurrency(said.concurrency())
			.ordering(said.ordering())
			.unknownType(said.unknownType())
			.retryDelay(said.retryDelay())
			.retryMultiplier(said.retryMultiplier())
			.retryMaxDelay(said.retryMaxDelay())
			.retryFor(exceptions(prefix + ".retry-for", said.retryFor()))
			.noRetryFor(exceptions(prefix + ".no-retry-for", said.noRetryFor()))
			.onRepeatedFailure(said.onRepeatedFailure())
			.repeatedFailures(said.repeatedFailures())
			.key(said.key())
			.source(said.source())
			.deadLetters(deadLetters(prefix + ".dead-letters", said.deadLetters()))
			.maxInFlightBytes(bytes(said.maxInFlightBytes()))
			.stalledAfter(said.stalledAfter())
			.newHandlers(said.newHandlers())
			.tenancy(said.tenancy())
			.build();
	}

	private static @Nullable Long bytes(@Nullable DataSize size) {
		return (size != null) ? size.toBytes() : null;
	}

	private static DeadLetterSettings deadLetters(String prefix, @Nullable DeadLetters said) {
		if (said == null) {
			return DeadLetterSettings.NONE;
		}
		return new DeadLetterSettings(said.parking(), said.parkingLimit(),
				exceptions(prefix + ".redrive-for", said.redriveFor()), said.redriveDelay(), said.redriveLimit());
	}

	private static @Nullable Set<Class<? extends Throwable>> exceptions(String property,
			@Nullable Set<Class<?>> types) {
		if (types == null) {
			return null;
		}
		Set<Class<? extends Throwable>> exceptions = new LinkedHashSet<>();
		for (Class<?> type : types) {
			if (!Throwable.class.isAssignableFrom(type)) {
				throw new InvalidConfigurationPropertyValueException(property, type.getName(),
						"It is not an exception, so no handler can throw it.");
			}
			exceptions.add(type.asSubclass(Throwable.class));
		}
		return exceptions;
	}

}
