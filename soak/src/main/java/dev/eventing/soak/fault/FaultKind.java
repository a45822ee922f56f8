package dev.eventing.soak.fault;

/** The kinds of faults, and how long they last. */
public enum FaultKind {

	/** SIGKILL for a node. */
	NODE_KILLED(500, 3000),
	/** SIGKILL for the node that owns the most projectors. */
	OWNER_KILLED(500, 3000),
	/** SIGSTOP for a node, for longer than a lease. */
	NODE_FROZEN(3000, 8000),
	/** A node is stopped in order and started again. */
	NODE_STOPPED(500, 2000),
	/** A node restarts behind a PgBouncer in transaction mode. */
	NODE_BEHIND_POOLER(8000, 15_000),
	/** PostgreSQL is stopped in order and started again. */
	POSTGRES_RESTARTED(200, 3000),
	/** SIGKILL for PostgreSQL. */
	POSTGRES_KILLED(200, 5000),
	/** A node's connections to PostgreSQL stand and say nothing. */
	POSTGRES_SILENT(4000, 10_000),
	/** A node's connections to PostgreSQL are reset. */
	POSTGRES_CUT(100, 4000),
	/** Some sessions of PostgreSQL are ended by an administrator. */
	BACKENDS_TERMINATED(0, 200),
	/** Another session holds the row of a lease. */
	LEASE_LOCKED(2000, 6000),
	/** Another session holds a table. */
	TABLE_LOCKED(1000, 5000),
	/** No statement may take longer than some milliseconds. */
	STATEMENT_TIMEOUT(2000, 6000),
	/** Another session holds a table or its rows, and none waits long for a lock. */
	LOCK_TIMEOUT(2000, 6000),
	/** The disk of PostgreSQL is full. */
	POSTGRES_DISK_FULL(2000, 8000),
	/** The database takes no writes, as after a failover to a replica. */
	POSTGRES_READ_ONLY(2000, 6000),
	/** A node's pool has no connection left. */
	POOL_EXHAUSTED(3000, 7000),
	/** SIGKILL for NATS. */
	NATS_KILLED(200, 5000),
	/** NATS stands still. */
	NATS_FROZEN(1000, 6000),
	/** The disk of a NATS server is full. */
	NATS_DISK_FULL(2000, 8000),
	/** The leader of the stream, or of a durable, moves to another server. */
	NATS_LEADER_MOVED(0, 200),
	/** A node's connections to NATS stand and say nothing. */
	NATS_SILENT(4000, 10_000),
	/** A node's connections to NATS are reset. */
	NATS_CUT(100, 4000),
	/** Somebody deletes the durable of a projector. */
	DURABLE_DELETED(0, 200),
	/** Somebody publishes a message whose headers no client can parse. */
	HOSTILE_HEADERS(0, 200),
	/** A handler throws an Error. */
	HANDLER_ERROR(500, 1500),
	/** A handler throws an OutOfMemoryError. */
	HANDLER_OUT_OF_MEMORY(500, 1500),
	/** A handler leaves the interrupt flag set, and throws. */
	HANDLER_INTERRUPT_AND_THROW(500, 1500),
	/** A handler leaves the interrupt flag set, and returns. */
	HANDLER_INTERRUPT_AND_RETURN(500, 1500),
	/** A handler stands still. */
	HANDLER_HANG(3000, 10_000),
	/** The threads of one kind are interrupted. */
	THREADS_INTERRUPTED(200, 1000),
	/** The threads of one kind die of an Error each. */
	THREADS_KILLED(1500, 4000),
	/** A thread of a node that asks for a connection gets an OutOfMemoryError. */
	OUT_OF_MEMORY(500, 1500),
	/** A thread of a node that asks for a connection gets an odd exception. */
	ODD_EXCEPTION(500, 1500),
	/** An operator redrives all letters: no fault, but it comes in between. */
	REDRIVE(0, 500);

	private final int shortest;

	private final int longest;

	FaultKind(int shortest, int longest) {
		this.shortest = shortest;
		this.longest = longest;
	}

	int shortest() {
		return this.shortest;
	}

	int longest() {
		return this.longest;
	}

}
