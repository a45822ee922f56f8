package dev.eventing.sdk.guides.library;

import java.util.List;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.relay.Refusal;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/** What operators do with relays, below /actuator/relays. */
@Component
@Endpoint(id = "relays")
class RelaysEndpoint {

	private final Relays relays;

	RelaysEndpoint(Relays relays) {
		this.relays = relays;
	}

	@ReadOperation
	List<RelayStatus> status() {
		return this.relays.status();
	}

	@ReadOperation
	List<Refusal> refusals(@Selector String relay) {
		return this.relays.refusals(relay, 100);
	}

	/** A retry needs tenant and stream, the two after it need a position. */
	@WriteOperation
	String change(@Selector String relay, @Selector Change change, @Nullable String tenant, @Nullable String stream,
			@Nullable Long position, @Nullable Long to) {
		return switch (change) {
			case RETRY -> this.relays.retry(relay, TenantId.of(tenant), stream) + " events are tried again";
			case GIVE_UP -> this.relays.giveUp(relay, position) ? "given up" : "there is no such event";
			case REPUBLISH -> String.valueOf(this.relays.republish(relay, position, to));
			case ACCEPT_RESTORE -> "accepted up to position " + this.relays.acceptRestore(relay);
			case PUBLISH_PASSED_OVER -> String.valueOf(this.relays.publishPassedOver(relay));
			case ACCEPT_PASSED_OVER -> this.relays.acceptPassedOver(relay) ? "accepted" : "nothing was passed over";
			case PAUSE -> {
				this.relays.pause(relay);
				yield "paused on this node";
			}
			case RESUME -> {
				this.relays.resume(relay);
				yield "resumed on this node";
			}
		};
	}

	enum Change {

		RETRY, GIVE_UP, REPUBLISH, ACCEPT_RESTORE, PUBLISH_PASSED_OVER, ACCEPT_PASSED_OVER, PAUSE, RESUME

	}

}
