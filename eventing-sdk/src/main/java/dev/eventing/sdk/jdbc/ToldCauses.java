package dev.eventing.sdk.jdbc;

import java.util.HashSet;
import java.util.Set;

/**
 * Which causes of one wait for the database the log has. The cause may change while the
 * wait lasts, and several threads may meet several causes in turn: each is logged once.
 * Thread-safe.
 */
public final class ToldCauses {

	/** Of one wait. */
	private static final int MOST = 20;

	private final Set<String> kinds = new HashSet<>();

	/** Whether the log does not have this cause yet. The caller logs it then. */
	public synchronized boolean isNew(Throwable failure) {
		return this.kinds.size() < MOST && this.kinds.add(DatabaseFailure.kind(failure));
	}

	/** The wait is over, or another one begins. */
	public synchronized void clear() {
		this.kinds.clear();
	}

}
