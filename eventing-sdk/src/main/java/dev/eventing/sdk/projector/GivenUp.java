package dev.eventing.sdk.projector;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.nats.Advisories.Advisory;

/**
 * Why JetStream will not deliver an event again.
 *
 * @param reason the reason of its letter
 * @param failure the same for people
 */
record GivenUp(String reason, Failure failure) {

	static GivenUp of(Advisory advisory) {
		if (advisory.terminated()) {
			String said = (advisory.reason() != null) ? ": " + advisory.reason() : "";
			return new GivenUp("TERMINATED",
					new Failure("Terminated", "Somebody else terminated the delivery" + said, null));
		}
		return new GivenUp("MAX_DELIVERIES", new Failure("MaxDeliveries",
				"The durable limits deliveries, and " + advisory.deliveries() + " were used up.", null));
	}

}
