package dev.eventing.sdk.projector.feed;

import dev.eventing.sdk.projector.ProjectorState;
import org.jspecify.annotations.Nullable;

/**
 * Reads a projector's events from their source and passes them to its lanes. For one
 * thread. It does not catch errors. After each error call {@link #makeReady} again.
 */
public interface Feed {

	/**
	 * Makes sure that events can be read, and that none is left out or overtaken by a
	 * later one. Does nothing if this was done since the last {@link #close}.
	 * @return a description of what it reads
	 */
	String makeReady() throws InterruptedException;

	/**
	 * Does the next step: passes on the available events, or waits for a moment.
	 * @return false if {@link #makeReady} must be called first
	 * @throws dev.eventing.sdk.event.NewerEventException if the next event needs newer
	 * code; nothing from it on is passed on
	 */
	boolean step() throws InterruptedException;

	/** The projector's state while this feed is ready. */
	default ProjectorState activity() {
		return ProjectorState.RUNNING;
	}

	/** What else operators must know, as an addition to the state; or an empty text. */
	default String alarm() {
		return "";
	}

	/** How far it has read. Grows with each event that arrives. */
	long arrived();

	/**
	 * The place up to which all events are settled, and no later one is. Null if that is
	 * not so, or not known.
	 */
	default @Nullable Long settledTo() {
		return null;
	}

	/**
	 * The number of unread events, when the last delivery was sent or the position was
	 * last saved.
	 */
	long pending();

	/**
	 * Since when nothing is delivered although events wait, and why. Null if that is not
	 * so, or not known. For any thread.
	 */
	default @Nullable Undelivered undelivered() {
		return null;
	}

	/** Saves the position of the projector. Called every few seconds. */
	void save();

	/**
	 * Saves the position of the projector after it has stopped.
	 * @param cleanStop whether no event is unsettled whose handling had begun
	 */
	void saveAtStop(boolean cleanStop);

	/** Stops reading. Events that were read and not passed on are read again later. */
	void close();

}
