package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;

/** The same as {@link UpsertHandler}, whose statements are sent together. */
@Projector(value = "${projector}", tables = "account")
class DeferredUpsertHandler {

	@ProjectorEventHandler(subject = "${subject}", source = Source.EVENT_STORE)
	void on(AccountChanged event, UUID eventId, String tenantId, ReadModelWriter writer) {
		writer.update(ReadModel.UPSERT, event.account(), event.amount(), event.change());
	}

}
