package dev.eventing.sdk.store;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.UnboundPayload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A store, and writers, for one test. */
abstract class StoreSetup {

	static final int WRITERS = 8;

	final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);

	@AutoClose
	final StoreWorld world = StoreWorld.shared();

	final EventStore store = this.world.store();

	@AfterEach
	void stopThreads() {
		this.threads.shutdownNow();
	}

	static NewEvent raw(String json) {
		return NewEvent.of(UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper())).withType("raw");
	}

	AppendResult append(ExpectedVersion expected, NewEvent... events) {
		return this.world.append(ACME, "order-1", expected, events);
	}

	List<Long> versions(String streamId) {
		return this.store.readStream(ACME, streamId).map(StoredEvent::version).toList();
	}

	static NewEvent placed(int number) {
		return NewEvent.of(new Placed(number, "näh"));
	}

	@EventType("placed")
	record Placed(int number, String text) {
	}

}
