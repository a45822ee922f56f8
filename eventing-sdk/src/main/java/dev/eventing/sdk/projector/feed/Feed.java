package dev.eventing.sdk.projector.feed;

/**
 * Reads a projector's events from where they lie and hands them to its lanes. For one
 * thread; errors come out of it as they are, and it is made ready anew after each.
 */
public interface Feed {

	/**
	 * Makes sure that events can be read, and that none is left out or overtaken by a
	 * later one; does nothing where it has been done since the last {@link #close}.
	 * @return what it reads, in words
	 */
	String makeReady() throws InterruptedException;

	/**
	 * Takes the next step: hands over what is there, or waits for a moment.
	 * @return false if it has to be made ready anew first
	 */
	boolean step() throws InterruptedException;

	/** How far it has read: grows with each event that arrives. */
	long arrived();

	/** How many events had not been read when the last one was. */
	long pending();

	/** Saves how far the projector is, every few seconds. */
	void save();

	/**
	 * Saves how far the projector is when it has stopped.
	 * @param cleanStop whether nothing was left unsettled that had been begun
	 */
	void saveAtStop(boolean cleanStop);

	/** Reads no more; what was read and not handed over comes again. */
	void close();

}
