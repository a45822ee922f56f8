package dev.eventing.benchmark.contender;

import java.util.List;

/**
 * Publishes events to JetStream that were committed to a database, each once and those of
 * one stream in order. Those on the class path are found by
 * {@link java.util.ServiceLoader}.
 */
public interface RelayContender extends Contender {

	/**
	 * Makes all ready: connections, tables, an application that needs only be told to
	 * begin. Not measured.
	 * @param round where to read and to publish; the database is of this round alone
	 */
	Publication prepare(RelayRound round) throws Exception;

	/**
	 * The largest backlog it is given to drain: what takes it about ten seconds, if that
	 * is less than the others drain.
	 */
	default int largestBacklog() {
		return Integer.MAX_VALUE;
	}

	/** A contender that is ready to go. */
	interface Publication extends AutoCloseable {

		/**
		 * Commits events to be published, in one transaction. Called by one thread at a
		 * time, also while it publishes.
		 */
		void append(List<OutboxEvent> events) throws Exception;

		/**
		 * Commits a backlog before it begins to publish. Not measured, so any way that
		 * leaves the same rows is good; unless said, {@link #append}.
		 */
		default void fill(List<OutboxEvent> events) throws Exception {
			append(events);
		}

		/**
		 * Begins to publish events, also those that are appended later, on separate
		 * threads, and returns. Measured until the stream has all.
		 */
		void start() throws Exception;

		/** Ends all threads and connections, and what it left outside of the database. */
		@Override
		void close();

	}

}
