package dev.eventing.sdk.observability;

import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.ForwarderStatus;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of forwarding dead letters to the dead-letter stream. Does not access a
 * server. Letters are safe in the ledger, and projectors run regardless. So it never
 * takes an application out of service: a failure makes it {@link #DEGRADED}, which Boot
 * does not include in the overall health.
 */
public final class DeadLetterHealthIndicator extends AbstractHealthIndicator {

	/** Letters cannot be forwarded to the dead-letter stream now. */
	public static final Status DEGRADED = new Status("DEGRADED", "Dead letters stay in the ledger only.");

	private final DeadLetterForwarder forwarder;

	public DeadLetterHealthIndicator(DeadLetterForwarder forwarder) {
		super("The health of the forwarder of dead letters cannot be determined");
		this.forwarder = forwarder;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		ForwarderStatus status = this.forwarder.status();
		boolean works = status.state() == ForwarderState.FORWARDING || status.state() == ForwarderState.STANDBY
				|| status.state() == ForwarderState.STOPPED || status.state() == ForwarderState.LEDGER_ONLY;
		builder.status(works ? Status.UP : DEGRADED);
		builder.withDetail("state", status.state());
		if (!status.detail().isEmpty()) {
			builder.withDetail("detail", status.detail());
		}
		builder.withDetail("forwarded", status.forwarded());
		builder.withDetail("refused", status.refused());
	}

}
