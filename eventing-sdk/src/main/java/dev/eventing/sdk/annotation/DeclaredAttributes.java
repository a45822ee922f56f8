package dev.eventing.sdk.annotation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.eventing.sdk.projector.DeadLetterSettings;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the attributes of a handler that apply to its whole projector. */
final class DeclaredAttributes {

	private static final Set<String> OF_THE_HANDLER = Set.of("subject", "projectorName", "eventType");

	private final AttributeResolver resolver;

	DeclaredAttributes(AttributeResolver resolver) {
		this.resolver = resolver;
	}

	/**
	 * Returns the attributes that the annotation sets, by name, in a form for comparison
	 * and messages.
	 */
	Map<String, Object> said(MergedAnnotation<ProjectorEventHandler> annotation) {
		Map<String, Object> all = new TreeMap<>();
		annotation.filterDefaultValues().asMap().forEach((name, value) -> {
			Object said = OF_THE_HANDLER.contains(name) ? "" : comparable(name, value);
			if (!said.equals("")) {
				all.put(name, said);
			}
		});
		return all;
	}

	private Object comparable(String name, Object value) {
		if (value instanceof String text) {
			return this.resolver.resolve(name, text);
		}
		if (value instanceof Class<?>[] types) {
			return Arrays.stream(types).map(Class::getName).collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
		}
		return value;
	}

	/**
	 * Returns the same attributes as settings. An attribute with its default value sets
	 * nothing.
	 */
	ProjectorSettings settings(ProjectorEventHandler annotation) {
		return ProjectorSettings.builder()
			.deliverPolicy(annotation.deliverPolicy())
			.maxDeliver(count(annotation.maxDeliver()))
			.ackWait(millis(annotation.ackWait()))
			.maxAckPending(count(annotation.maxAckPending()))
			.batchSize(count(annotation.batchSize()))
			.concurrency(count(annotation.concurrency()))
			.ordering(annotation.ordering())
			.retryDelay(millis(annotation.retryDelay()))
			.retryMultiplier(
					(annotation.retryMultiplier() != ProjectorEventHandler.UNSET) ? annotation.retryMultiplier() : null)
			.retryMaxDelay(millis(annotation.retryMaxDelay()))
			.retryFor(types(annotation.retryFor()))
			.noRetryFor(types(annotation.noRetryFor()))
			.key(key(annotation.key()))
			.source(annotation.source())
			.deadLetters(deadLetters(annotation))
			.maxInFlightBytes(bytes(annotation.maxInFlightBytes()))
			.tenancy(annotation.tenancy())
			.build();
	}

	private static DeadLetterSettings deadLetters(ProjectorEventHandler annotation) {
		return new DeadLetterSettings(annotation.parking(), count(annotation.parkingLimit()),
				types(annotation.redriveFor()), millis(annotation.redriveDelay()), count(annotation.redriveLimit()));
	}

	private static @Nullable Integer count(int value) {
		return (value != ProjectorEventHandler.UNSET) ? value : null;
	}

	private static @Nullable Long bytes(long value) {
		return (value != ProjectorEventHandler.UNSET) ? value : null;
	}

	private static @Nullable Duration millis(long value) {
		return (value != ProjectorEventHandler.UNSET) ? Duration.ofMillis(value) : null;
	}

	private static @Nullable Set<Class<? extends Throwable>> types(Class<? extends Throwable>[] types) {
		return (types.length > 0) ? Set.copyOf(Arrays.asList(types)) : null;
	}

	private @Nullable String key(String text) {
		String key = this.resolver.resolve("key", text);
		if (key.isEmpty()) {
			return null;
		}
		try {
			new SpelExpressionParser().parseExpression(key);
			return key;
		}
		catch (ParseException ex) {
			throw new InvalidHandlerException(
					"key = \"" + text + "\" is not a valid expression (" + ex.getSimpleMessage() + ")",
					"an expression over the event such as \"payload.customerId\"");
		}
	}

}
