package dev.eventing.soak.node;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;

/** Projectors of all kinds. {@link Projected} has their names. */
final class Projectors {

	private static final String MOVED = "soak.{tenant}.moved";

	private static final String TOLD = "told.{tenant}.moved";

	private final ReadModel readModel;

	Projectors(ReadModel readModel) {
		this.readModel = readModel;
	}

	@ProjectorEventHandler(projectorName = "stream-plain", subject = MOVED)
	void streamPlain(Moved event, UUID eventId, String tenantId) {
		this.readModel.apply("stream-plain", event);
	}

	@ProjectorEventHandler(projectorName = "stream-deferred", subject = MOVED)
	void streamDeferred(Moved event, UUID eventId, String tenantId, ReadModelWriter writer) {
		this.readModel.apply("stream-deferred", event, writer);
	}

	@ProjectorEventHandler(projectorName = "stream-batch", subject = MOVED, batchSize = 50)
	void streamBatch(List<Event<Moved>> events, ReadModelWriter writer) {
		events.forEach((event) -> this.readModel.apply("stream-batch", event.payload(), writer));
	}

	@ProjectorEventHandler(projectorName = "stream-unordered", subject = MOVED, ordering = Ordering.NONE,
			ackWait = 5000)
	void streamUnordered(Moved event, UUID eventId, String tenantId) {
		this.readModel.apply("stream-unordered", event);
	}

	@ProjectorEventHandler(projectorName = "store-plain", subject = MOVED, source = Source.EVENT_STORE)
	void storePlain(Moved event, UUID eventId, String tenantId) {
		this.readModel.apply("store-plain", event);
	}

	@ProjectorEventHandler(projectorName = "store-deferred", subject = MOVED, source = Source.EVENT_STORE)
	void storeDeferred(Moved event, UUID eventId, String tenantId, ReadModelWriter writer) {
		this.readModel.apply("store-deferred", event, writer);
	}

	@ProjectorEventHandler(projectorName = "published-plain", subject = TOLD)
	void publishedPlain(Moved event, UUID eventId, String tenantId) {
		this.readModel.apply("published-plain", event);
	}

}
