package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.HandlerMethod;
import org.jspecify.annotations.Nullable;

/**
 * An event in a projector, from its arrival until it is settled. After the intake has
 * passed it on, one lane owns it. Not thread-safe.
 */
public final class Work {

	private final Origin origin;

	private final ReadResult read;

	private final @Nullable HandlerMethod handler;

	private final @Nullable String key;

	private @Nullable Event<?> bound;

	/** Whether it may have ended a process. */
	private Suspicion suspicion = Suspicion.NONE;

	/** Whether projector_attempts has a row for it, which is deleted when it succeeds. */
	private boolean attempted;

	/** Whether later events of its key wait for it. */
	private boolean blocking;

	/** Why JetStream will not deliver it again, if it came from an advisory. */
	private @Nullable Rejection givenUp;

	/** Whether it waits until {@link #notBefore}. */
	private boolean delayed;

	private long notBefore;

	public Work(Origin origin, ReadResult read, @Nullable HandlerMethod handler, @Nullable String key) {
		this.origin = origin;
		this.read = read;
		this.handler = handler;
		this.key = key;
	}

	public Origin origin() {
		return this.origin;
	}

	public Place place() {
		return this.origin.place();
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

	/** The event. Its envelope must be readable. */
	public Event<UnboundPayload> event() {
		if (this.read instanceof ReadResult.Readable readable) {
			return readable.event();
		}
		throw new IllegalStateException(this + " is unreadable");
	}

	/**
	 * Returns the event with the payload in the handler's type. Binds the payload at the
	 * first call.
	 * @throws dev.eventing.sdk.event.PayloadBindingException if the payload cannot be
	 * bound to the handler's type
	 */
	public Event<?> bound() {
		Event<?> event = this.bound;
		if (event == null) {
			HandlerMethod taker = this.handler;
			if (taker == null) {
				throw new IllegalStateException(this + " has no handler");
			}
			Event<UnboundPayload> read = event();
			event = read.map((payload) -> payload.bind(taker.payloadType(read.type())));
			this.bound = event;
		}
		return event;
	}

	/** Whether its envelope is readable. */
	public boolean hasEvent() {
		return this.read instanceof ReadResult.Readable;
	}

	public EventKey eventKey() {
		return new EventKey(event().tenantId(), event().id());
	}

	/**
	 * Returns tenant and id, also of an unreadable event. Null if its id or tenant is
	 * unknown.
	 */
	public @Nullable EventKey knownKey() {
		if (this.read instanceof ReadResult.Unreadable unreadable) {
			return (unreadable.tenantId() != null && unreadable.eventId() != null)
					? new EventKey(unreadable.tenantId(), unreadable.eventId()) : null;
		}
		return eventKey();
	}

	public Suspicion suspicion() {
		return this.suspicion;
	}

	public void setSuspicion(Suspicion suspicion) {
		this.suspicion = suspicion;
	}

	public boolean isAttempted() {
		return this.attempted;
	}

	public void markAttempted() {
		this.attempted = true;
	}

	/** Why JetStream gave it up, or null if it did not. */
	@Nullable Rejection givenUp() {
		return this.givenUp;
	}

	public void giveUp(Rejection why) {
		this.givenUp = why;
	}

	public boolean isBlocking() {
		return this.blocking;
	}

	public void markBlocking() {
		this.blocking = true;
	}

	/** Whether it may run now: it has not failed before, or its wait is over. */
	public boolean isDue() {
		return !this.delayed || nanosLeft() <= 0;
	}

	/** The nanoseconds until it may run. */
	public long nanosLeft() {
		return this.notBefore - System.nanoTime();
	}

	/**
	 * Sets the {@link System#nanoTime time} of its next attempt. Changes of the clock do
	 * not affect it.
	 */
	public void setNotBefore(long nanoTime) {
		this.delayed = true;
		this.notBefore = nanoTime;
	}

	/** Compares two events by the time at which they may run. */
	public static int byTime(Work one, Work other) {
		return Long.signum(one.notBefore - other.notBefore);
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
		return this.origin.place().toString();
	}

}
