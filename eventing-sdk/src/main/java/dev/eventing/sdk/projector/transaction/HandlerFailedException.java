package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;

/** A handler threw an exception for one event or several events. */
public final class HandlerFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient @Nullable RoutedEvent culprit;

	HandlerFailedException(HandlerMethod handler, @Nullable RoutedEvent culprit, Throwable cause) {
		super("Handler " + handler.description() + " failed", cause, false, false);
		this.culprit = culprit;
	}

	/**
	 * Returns the exception of the handler. For any other failure, returns the failure
	 * itself.
	 */
	public static Throwable errorOf(Throwable failure) {
		return (failure instanceof HandlerFailedException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/** The event of the call, or null if there were several. */
	public @Nullable RoutedEvent culprit() {
		return this.culprit;
	}

}
