package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.OrderingKey;
import org.jspecify.annotations.Nullable;

/** Where a projector has the keys of its events from, if not from them. Thread-safe. */
interface KeySource {

	/**
	 * The key of an event. Throws what the code of the application throws.
	 * @return null if it has none
	 */
	@Nullable String keyOf(Event<?> event);

	/**
	 * The key of an event whose payload is not known.
	 * @return null if it has none, or it depends on the payload
	 */
	@Nullable String keyOfEnvelope(Event<?> event);

	/** The key of an event that cannot be read; null if it depends on the event. */
	default @Nullable String ofAll() {
		return null;
	}

	/** Code names the keys, and may need the payload. */
	record Code(OrderingKey code) implements KeySource {

		@Override
		public @Nullable String keyOf(Event<?> event) {
			return this.code.keyOf(event);
		}

		@Override
		public @Nullable String keyOfEnvelope(Event<?> event) {
			return ofAll();
		}

		@Override
		public @Nullable String ofAll() {
			return this.code.ofAll();
		}

		@Override
		public String toString() {
			return "code that names the key";
		}

	}

}
