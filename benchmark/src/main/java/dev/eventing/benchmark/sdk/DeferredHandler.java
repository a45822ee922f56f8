package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;

/** Hands its statements over, to be sent together with other events' statements. */
class DeferredHandler {

	@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}")
	void on(AccountChanged event, UUID eventId, String tenantId, ReadModelWriter writer) {
		writer.update(ReadModel.UPDATE, event.amount(), event.change(), event.account());
	}

}
