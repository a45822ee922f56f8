package dev.eventing.sdk.projector.delivery;

import java.util.Objects;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.OrderingKey;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event's envelope, and determines its handler and its ordering key. Does not
 * throw, whatever the event contains. Thread-safe.
 */
public final class DeliveryDecoder {

	private final ProjectorEndpoint endpoint;

	private final EventReader reader;

	/** Names the keys of events instead of their attributes, or null. */
	private final @Nullable KeySource key;

	/** The last route: most events have the subject and type of an earlier one. */
	private volatile @Nullable Route last;

	public DeliveryDecoder(ProjectorEndpoint endpoint, EventReader reader) {
		this.endpoint = endpoint;
		this.reader = reader;
		this.key = keySource(endpoint);
	}

	private static @Nullable KeySource keySource(ProjectorEndpoint endpoint) {
		OrderingKey code = endpoint.key();
		String expression = endpoint.options().settings().key();
		return (code != null) ? new KeySource.Code(code) : (expression != null) ? new KeyExpression(expression) : null;
	}

	/** Whether a handler listens to the subject, for any event type. */
	public boolean listensTo(String subject) {
		for (HandlerMethod handler : this.endpoint.handlers()) {
			if (handler.subject().matches(subject)) {
				return true;
			}
		}
		return false;
	}

	/** Reads an event, and determines its handler and its key. */
	public RoutedEvent route(SourceEvent event) {
		String subject = event.subject();
		ReadResult read = event.read(this.reader, (type) -> routeOf(type, subject).tenant());
		if (read instanceof ReadResult.Unreadable unreadable) {
			return new RoutedEvent(event, read, null, laneKey(unreadable));
		}
		ReadResult.Readable readable = (ReadResult.Readable) read;
		HandlerMethod handler = routeOf(readable.event().type(), subject).handler();
		RoutedEvent routed = new RoutedEvent(event, read, handler,
				laneKey(readable.event(), readable.event().orderingKey()));
		return (this.key != null) ? keyed(routed, this.key) : routed;
	}

	private Route routeOf(@Nullable String type, String subject) {
		Route route = this.last;
		if (route == null || !route.isFor(type, subject)) {
			route = new Route(type, subject, (type != null) ? this.endpoint.handlerOf(type, subject) : null,
					this.endpoint.tenantToken(type, subject));
			this.last = route;
		}
		return route;
	}

	private static RoutedEvent keyed(RoutedEvent routed, KeySource keys) {
		Event<UnboundPayload> event = routed.event();
		try {
			if (routed.newer() != null || isDropped(routed)) {
				return routed; // no handler gets it here, so nothing depends on its order
			}
			Event<?> bound = boundOrNull(routed);
			// without its payload, its lane rejects it: the key only shows what it parks
			String key = (bound != null) ? keys.keyOf(bound) : keys.keyOfEnvelope(event);
			return new RoutedEvent(routed.source(), routed.read(), routed.handler(), laneKey(event, key));
		}
		catch (RuntimeException | Error ex) {
			FailureClassifier.rethrowIfOfTheProcess(ex);
			String detail = "The " + keys + " fails on this event: " + ex.getClass().getSimpleName() + ".";
			ReadResult unreadable = new ReadResult.Unreadable(ReadResult.Reason.INVALID_KEY, detail, event.id(),
					event.tenantId(), event.type(), null);
			return new RoutedEvent(routed.source(), unreadable, null, laneKey(event, keys.ofAll()));
		}
	}

	private static boolean isDropped(RoutedEvent routed) {
		try {
			return routed.handler() != null && routed.isDropped();
		}
		catch (PayloadBindingException | StackOverflowError ex) {
			return false;
		}
	}

	/**
	 * Returns the event with its payload. Null if no handler takes it, or its payload
	 * cannot be bound.
	 */
	private static @Nullable Event<?> boundOrNull(RoutedEvent routed) {
		try {
			return (routed.handler() != null) ? routed.bound() : null;
		}
		catch (PayloadBindingException | StackOverflowError ex) {
			return null;
		}
	}

	/**
	 * The key of an event that cannot be read, so that later events of it are parked.
	 * Null if it is not known. A key expression needs an event that can be read, unless
	 * all events of a tenant have the same key.
	 */
	private @Nullable String laneKey(ReadResult.Unreadable unreadable) {
		TenantId tenant = unreadable.tenantId();
		if (tenant == null) {
			return null;
		}
		return laneKey(tenant, (this.key == null) ? unreadable.key() : this.key.ofAll());
	}

	private static @Nullable String laneKey(Event<?> event, @Nullable String key) {
		return laneKey(event.tenantId(), key);
	}

	/** Includes the tenant, so that keys of two tenants are never equal. */
	private static @Nullable String laneKey(TenantId tenant, @Nullable String key) {
		return (key != null) ? tenant.value() + '/' + key : null;
	}

	/**
	 * What the handlers' subjects say about the events of one subject and type.
	 *
	 * @param handler the handler that takes them, or null
	 * @param tenant the tenant in the subject, or null
	 */
	private record Route(@Nullable String type, String subject, @Nullable HandlerMethod handler,
			@Nullable String tenant) {

		boolean isFor(@Nullable String otherType, String otherSubject) {
			return this.subject.equals(otherSubject) && Objects.equals(this.type, otherType);
		}

	}

}
