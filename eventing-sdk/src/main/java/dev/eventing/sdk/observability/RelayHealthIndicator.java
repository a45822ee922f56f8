package dev.eventing.sdk.observability;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of an application's relays on this node. It does not access a server.
 *
 * <ul>
 * <li>{@code DOWN}: a relay is {@link RelayState#REFUSED}, and an operator must decide;
 * or it is {@link RelayState#FAILED}, {@link RelayState#RESTARTING} or
 * {@link RelayState#STALLED}, which the log explains.</li>
 * <li>{@code OUT_OF_SERVICE}: otherwise, if a relay waits for NATS or PostgreSQL. It
 * continues automatically.</li>
 * <li>{@code UP}: all other cases, including standby. The details have the number of
 * streams that are stopped by events which cannot be published.</li>
 * </ul>
 */
public final class RelayHealthIndicator extends AbstractHealthIndicator {

	private final Relays relays;

	public RelayHealthIndicator(Relays relays) {
		super("The health of relays cannot be determined");
		this.relays = relays;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<RelayStatus> all = this.relays.status();
		if (anyIs(all, RelayState.REFUSED, RelayState.FAILED, RelayState.RESTARTING, RelayState.STALLED)) {
			builder.down();
		}
		else if (anyIs(all, RelayState.WAITING_FOR_NATS, RelayState.WAITING_FOR_DATABASE)) {
			builder.outOfService();
		}
		else {
			builder.up();
		}
		Map<String, Object> details = new LinkedHashMap<>();
		all.forEach((status) -> details.put(status.relay(), details(status)));
		builder.withDetail("relays", details);
	}

	private static boolean anyIs(List<RelayStatus> all, RelayState... states) {
		return all.stream().anyMatch((status) -> List.of(states).contains(status.state()));
	}

	private static Map<String, Object> details(RelayStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state());
		details.put("detail", status.detail());
		details.put("since", status.since());
		details.put("position", status.position());
		details.put("window", status.window());
		details.put("stoppedStreams", status.stoppedStreams());
		details.put("published", status.counts().published());
		details.put("retried", status.counts().retried());
		details.put("refused", status.counts().refused());
		details.put("held", status.counts().held());
		return details;
	}

}
