package dev.eventing.sdk.projector.transaction;

import java.util.Map;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;

/** Failures of handlers for unit tests. */
public final class ThrownByHandler {

	private ThrownByHandler() {
	}

	/** A handler threw while it had this event, or several if it is null. */
	public static HandlerFailedException at(@Nullable RoutedEvent culprit) {
		return at(culprit, new IllegalStateException("of the test"));
	}

	/** A handler threw this while it had this event, or several if it is null. */
	public static HandlerFailedException at(@Nullable RoutedEvent culprit, Throwable cause) {
		HandlerMethod handler = new HandlerMethod("Test.on(X)", SubjectTemplate.of("x"), Map.of(), false,
				(events, resources) -> {
				});
		return new HandlerFailedException(handler, culprit, cause);
	}

}
