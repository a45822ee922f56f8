package dev.eventing.benchmark.contender;

/**
 * Builds the {@link ReadModel} again from the events of an event store, as
 * {@link ReadModel#UPSERT} says. Those on the class path are found by
 * {@link java.util.ServiceLoader}.
 */
public interface RebuildContender extends Contender {

	/** The version of the event type in which the events are stored. */
	default int version() {
		return 1;
	}

	/**
	 * Makes all ready: connections, its own event store, an application whose projector
	 * has met the last event. Not measured.
	 * @param round the database has the events in the SDK's event store, and the read
	 * model without rows; there is no stream
	 */
	Rebuild prepare(ProjectorRound round) throws Exception;

	/** A contender that is ready to go. */
	interface Rebuild extends AutoCloseable {

		/**
		 * Requests the rebuild and returns when the read model is empty and its filling
		 * begins. Not measured.
		 */
		void begin() throws Exception;

		/**
		 * Returns when the read model is filled and all of it is committed. This is what
		 * is measured.
		 */
		void run() throws Exception;

		/** The table that was filled, with its schema if it needs one. */
		default String table() {
			return "account";
		}

		/** Ends all threads and connections. Not measured. */
		@Override
		void close();

	}

}
