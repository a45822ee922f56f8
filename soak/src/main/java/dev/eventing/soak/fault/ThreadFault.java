package dev.eventing.soak.fault;

import dev.eventing.soak.Servers;

/**
 * Threads of one kind are interrupted, or die, in all nodes: any of them may own the
 * projectors with work. The node knows its threads; the dice choose among their kinds.
 */
final class ThreadFault implements Fault {

	private final Servers servers;

	private final String command;

	/**
	 * Makes one.
	 * @param command what the node is given, before the dice and the milliseconds
	 */
	ThreadFault(Servers servers, String command) {
		this.servers = servers;
		this.command = command;
	}

	@Override
	public void begin(Step step) {
		this.servers.nodes().forEach((node) -> node.send(this.command + " " + step.dice() + " " + step.millis()));
	}

}
