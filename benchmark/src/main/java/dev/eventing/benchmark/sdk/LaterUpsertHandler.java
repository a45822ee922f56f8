package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.LaterAccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;

/** The same as {@link DeferredUpsertHandler}, for a later version of the event. */
@Projector(value = "${projector}", tables = "account")
class LaterUpsertHandler {

	@ProjectorEventHandler(subject = "${subject}", source = Source.EVENT_STORE)
	void on(LaterAccountChanged event, UUID eventId, String tenantId, ReadModelWriter writer) {
		writer.update(ReadModel.UPSERT, event.account(), event.amount(), event.change());
	}

}
