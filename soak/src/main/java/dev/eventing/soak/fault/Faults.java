package dev.eventing.soak.fault;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.soak.Servers;
import dev.eventing.soak.node.NodeApplication;

/** Does what a plan says. */
public final class Faults {

	private final Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);

	public Faults(Servers servers) {
		new NodeFaults(servers).addTo(this.faults);
		new ServerFaults(servers).addTo(this.faults);
		new DatabaseFaults(servers).addTo(this.faults);
		new NatsFaults(servers).addTo(this.faults);
		this.faults.put(FaultKind.OWNER_KILLED, new OwnerFault(servers));
		this.faults.put(FaultKind.NODE_BEHIND_POOLER, new PoolerFault(servers));
		this.faults.put(FaultKind.NATS_LEADER_MOVED, new LeaderFault(servers));
		this.faults.put(FaultKind.THREADS_INTERRUPTED, new ThreadFault(servers, NodeApplication.INTERRUPT));
		this.faults.put(FaultKind.THREADS_KILLED, new ThreadFault(servers, NodeApplication.KILL));
		this.faults.put(FaultKind.REDRIVE, (step) -> redrive(servers));
	}

	/** Has all parked letters run again. */
	public static void redrive(Servers servers) {
		servers.operators()
			.deadLetters()
			.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withStatus(DeadLetterStatus.PARKED), "soak"));
	}

	/**
	 * Begins a fault.
	 * @throws Exception if it cannot be done now, such as while another one is under way
	 */
	public void begin(Step step) throws Exception {
		fault(step).begin(step);
	}

	/**
	 * Ends it.
	 * @throws Exception if it cannot be done now
	 */
	public void end(Step step) throws Exception {
		fault(step).end(step);
	}

	private Fault fault(Step step) {
		return Objects.requireNonNull(this.faults.get(step.kind()), () -> "Nothing does " + step.kind() + ".");
	}

}
