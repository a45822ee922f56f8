package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * A caller waits for a projector in a transaction. What that transaction has appended is
 * not visible to the projector before the commit, and its connection would be missing to
 * the lanes meanwhile.
 */
public class AwaitedInTransactionException extends EventingException {

	private static final long serialVersionUID = 1L;

	public AwaitedInTransactionException(String projector, long position) {
		super("Projector '" + projector + "' is awaited at position " + position
				+ " in a transaction, and sees nothing of it before the commit. Consider awaitPosition after the commit.");
	}

}
