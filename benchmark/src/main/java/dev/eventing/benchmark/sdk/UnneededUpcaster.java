package dev.eventing.benchmark.sdk;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.sdk.event.EventUpcaster;
import tools.jackson.databind.JsonNode;

/** Stands for versions of which no event is left. */
record UnneededUpcaster(int fromVersion) implements EventUpcaster {

	@Override
	public String eventType() {
		return AccountChanged.TYPE;
	}

	@Override
	public JsonNode upcast(JsonNode payload) {
		throw new IllegalStateException("No event has version " + this.fromVersion + ".");
	}

}
