package dev.eventing.benchmark.contender;

import org.jspecify.annotations.Nullable;

/**
 * Applies events to the {@link ReadModel}, each exactly once, as {@link ReadModel#UPDATE}
 * says. Those on the class path are found by {@link java.util.ServiceLoader}.
 */
public interface ProjectorContender extends Contender {

	/**
	 * The id of the loop by hand that this one's processor time is compared with: it does
	 * the same work in the same way, on as many lanes. Null for none.
	 */
	default @Nullable String loopByHand() {
		return null;
	}

	/**
	 * Makes all ready: connections, separate tables, an application that needs only be
	 * told to begin. Not measured.
	 * @param round what to apply; its database, stream and projector name are of this
	 * round alone
	 */
	Projection prepare(ProjectorRound round) throws Exception;

	/** A contender that is ready to go. */
	interface Projection extends AutoCloseable {

		/**
		 * Applies all events of the round and returns when they are committed. This is
		 * what is measured, on the harness's thread; work on as many others as is said in
		 * the title.
		 */
		void run() throws Exception;

		/** Ends all threads and connections. Not measured. */
		@Override
		void close();

	}

}
