package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;

/** Two handlers of which neither subject covers the other. */
class Overlapping extends Accounts {

	final List<String> closed = new CopyOnWriteArrayList<>();

	@ProjectorEventHandler(subject = "${root}.acme.>", projectorName = PROJECTOR)
	public void onClosed(Event<Closed> event) {
		this.closed.add(event.tenantId().value());
	}

	/** An event of another type. */
	record Closed(String account) {
	}

}
