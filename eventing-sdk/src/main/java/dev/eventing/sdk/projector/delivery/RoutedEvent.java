package dev.eventing.sdk.projector.delivery;

import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.event.UuidV5;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.HandlerMethod;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an event in a projector: what its source has, what was read of it, its
 * handler and its ordering key. None of this changes. How the event is settled, and its
 * state in a lane, are in its {@link Work}. Two instances are never equal. Not
 * thread-safe, because it keeps the bound payload.
 */
public final class RoutedEvent {

	private final SourceEvent source;

	private final ReadResult read;

	private final @Nullable HandlerMethod handler;

	private final @Nullable String key;

	private @Nullable Event<?> bound;

	private boolean dropped;

	/**
	 * Creates the facts of an event.
	 * @param handler the handler that takes it, or null if none does
	 * @param key the ordering key including the tenant, or null if it has no order
	 */
	public RoutedEvent(SourceEvent source, ReadResult read, @Nullable HandlerMethod handler, @Nullable String key) {
		this.source = source;
		this.read = read;
		this.handler = handler;
		this.key = key;
	}

	/** The event as its source has it. */
	public SourceEvent source() {
		return this.source;
	}

	public EventPlace place() {
		return this.source.place();
	}

	public ReadResult read() {
		return this.read;
	}

	/** The handler that takes it, or null if none does. */
	public @Nullable HandlerMethod handler() {
		return this.handler;
	}

	/** The ordering key including the tenant, or null if it has no order. */
	public @Nullable String key() {
		return this.key;
	}

	/**
	 * The ordering key within its tenant: that of the projector's key expression, if it
	 * has one. Null if it has no order.
	 */
	public @Nullable String keyInTenant() {
		TenantId tenant = (this.read instanceof ReadResult.Unreadable unreadable) ? unreadable.tenantId() : tenant();
		return (this.key != null && tenant != null) ? this.key.substring(tenant.value().length() + 1) : null;
	}

	/**
	 * Returns its lane among a number of lanes: that of its ordering key, or of its
	 * sequence if it has none.
	 */
	public int lane(int lanes) {
		int hash = (this.key != null) ? this.key.hashCode() : Long.hashCode(place().sequence());
		return Math.floorMod(hash ^ (hash >>> 16), lanes);
	}

	/** Whether its payload was edited since it was published. */
	public boolean isEdited() {
		return this.source.isEdited();
	}

	/** Whether its envelope is readable. */
	public boolean hasEvent() {
		return this.read instanceof ReadResult.Readable;
	}

	/** Whether the server of the stream wrote it, or it is for that server: no event. */
	public boolean isMarker() {
		return !hasEvent() && (this.source.raw().isMarker() || isSchedule());
	}

	/** Whether it tells the server to publish an event later. */
	public boolean isSchedule() {
		return !hasEvent() && this.source.raw().isSchedule();
	}

	/** The event. Its envelope must be readable. */
	public Event<UnboundPayload> event() {
		if (this.read instanceof ReadResult.Readable readable) {
			return readable.event();
		}
		throw new IllegalStateException(this + " is unreadable");
	}

	/**
	 * Why this node's code cannot read the event: newer code has written it. Null if
	 * there is no such reason. Such an event waits for another node.
	 */
	public @Nullable NewerEventException newer() {
		HandlerMethod taker = this.handler;
		if (taker == null || !hasEvent()) {
			return null;
		}
		Event<UnboundPayload> read = event();
		return read.payload().newerThan(taker.payloadType(read.type()));
	}

	/** Whether its content was erased from the event store. */
	public boolean isErased() {
		return hasEvent() && event().payload().isErased();
	}

	/**
	 * Whether the event means nothing any more, so that it is settled without a handler.
	 * Binds the payload at the first call.
	 * @throws dev.eventing.sdk.event.PayloadBindingException if the payload cannot be
	 * bound to the handler's type
	 */
	public boolean isDropped() {
		if (isErased()) {
			return true;
		}
		if (this.bound == null && !this.dropped) {
			bind();
		}
		return this.dropped;
	}

	/**
	 * Returns the event with the payload in the handler's type, unless it is
	 * {@link #isDropped dropped}.
	 * @throws dev.eventing.sdk.event.PayloadBindingException if the payload cannot be
	 * bound to the handler's type
	 */
	public Event<?> bound() {
		Event<?> event = isDropped() ? null : this.bound;
		if (event == null) {
			throw new IllegalStateException(this + " was dropped by an upcaster, or erased");
		}
		return event;
	}

	private void bind() {
		HandlerMethod taker = this.handler;
		if (taker == null) {
			throw new IllegalStateException(this + " has no handler");
		}
		Event<UnboundPayload> read = event();
		Optional<Object> payload = read.payload().bindKept(taker.payloadType(read.type()));
		this.dropped = payload.isEmpty();
		this.bound = payload.isPresent() ? read.map((unbound) -> payload.get()) : null;
	}

	/** The tenant, or null if the envelope is unreadable. */
	public @Nullable TenantId tenant() {
		return hasEvent() ? event().tenantId() : null;
	}

	/** Tenant and id. Its envelope must be readable. */
	public EventKey eventKey() {
		return new EventKey(event().tenantId(), event().id());
	}

	/**
	 * Returns the key by which claims and letters know the event, also if it is
	 * unreadable: its tenant and {@link #ledgerId}. Null if its tenant is unknown.
	 */
	public @Nullable EventKey ledgerKey() {
		TenantId tenant = (this.read instanceof ReadResult.Unreadable unreadable) ? unreadable.tenantId() : tenant();
		return (tenant != null) ? new EventKey(tenant, ledgerId()) : null;
	}

	/**
	 * Returns the id by which claims and letters know the event. If its id or tenant is
	 * unknown, it is computed from its place, so that it is the same at each delivery.
	 */
	public UUID ledgerId() {
		if (this.read instanceof ReadResult.Unreadable unreadable) {
			// without a tenant, the same id may belong to two events
			UUID id = (unreadable.tenantId() != null) ? unreadable.eventId() : null;
			return (id != null) ? id : UuidV5.of(place().stream(), place().storedAt() + "/" + place().sequence());
		}
		return event().id();
	}

	/**
	 * Describes place, event, tenant and key, as far as they are known. Contains nothing
	 * of the payload.
	 */
	public String describe() {
		if (!hasEvent()) {
			return this + ", which is unreadable";
		}
		return "event " + event().id() + " (" + event().type() + ") of tenant '" + event().tenantId() + "' at " + this
				+ ", key '" + this.key + "'";
	}

	@Override
	public String toString() {
		return place().toString();
	}

}
