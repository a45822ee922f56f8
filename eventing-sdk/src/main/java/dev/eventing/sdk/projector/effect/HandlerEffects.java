package dev.eventing.sdk.projector.effect;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.store.EventColumns;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.PendingAppend;

/**
 * The effects of one call of a handler. It rejects all effects after the handler has
 * returned.
 */
public final class HandlerEffects implements Effects, AutoCloseable {

	private final HandlerMethod handler;

	private final RoutedEvent event;

	private final Handling handling;

	private final List<Effect> caused;

	private final Thread thread = Thread.currentThread();

	/** The number of effects so far. */
	private int count;

	/** Volatile, because a handler may pass the effects to another thread. */
	private volatile boolean closed;

	HandlerEffects(HandlerMethod handler, RoutedEvent event, Handling handling, List<Effect> caused) {
		this.handler = handler;
		this.event = event;
		this.handling = handling;
		this.caused = caused;
	}

	@Override
	public void append(String streamId, List<NewEvent> events) {
		requireUsable();
		EventKey key = this.event.eventKey();
		List<NewEvent> numbered = IntStream.range(0, events.size())
			.mapToObj((at) -> events.get(at).withId(id(key, this.count + 1 + at)))
			.toList();
		PendingAppend checked = this.handling.store()
			.get()
			.prepare(key.tenantId(), streamId, ExpectedVersion.any(), numbered);
		Cause cause = new Cause(key.tenantId(), key.eventId(), this.event.place().sequence(), id(key, 1));
		checked.events()
			.forEach((each) -> this.caused.add(new Effect(cause, ++this.count, EventColumns.of(streamId, each))));
	}

	private UUID id(EventKey key, int n) {
		return EffectIds.derive(this.handling.projector(), key.tenantId(), key.eventId(), n);
	}

	private void requireUsable() {
		if (!this.handler.effects()) {
			throw new IllegalStateException("Handler " + this.handler.description()
					+ " declares no effects. Consider a parameter of type Effects.");
		}
		if (Thread.currentThread() != this.thread) {
			throw new IllegalStateException("Handler " + this.handler.description() + " runs on thread '"
					+ this.thread.getName() + "', but its Effects were used on thread '"
					+ Thread.currentThread().getName()
					+ "', which is not in the transaction. Consider appending all effects on the handler's thread.");
		}
		if (this.closed) {
			throw new IllegalStateException("Handler " + this.handler.description()
					+ " has returned, so its Effects take no more events: they would belong to another event. Consider"
					+ " using the effects only until the handler returns.");
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
