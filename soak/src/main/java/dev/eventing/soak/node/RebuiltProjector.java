package dev.eventing.soak.node;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;

/** {@link Projected#STORE_REBUILT}, whose read model operators rebuild. */
@Projector(value = "store-rebuilt", tables = Projected.REBUILT)
class RebuiltProjector {

	private final ReadModel readModel;

	RebuiltProjector(ReadModel readModel) {
		this.readModel = readModel;
	}

	@ProjectorEventHandler(subject = "soak.{tenant}.moved", source = Source.EVENT_STORE)
	void storeRebuilt(Moved event, UUID eventId, String tenantId) {
		this.readModel.applyRebuilt(event);
	}

}
