package dev.eventing.sdk.nats;

import java.time.Instant;

/**
 * The state of a durable consumer.
 *
 * @param source the stream it reads
 * @param floor the stream sequence up to which everything is settled
 * @param delivered the highest stream sequence handed over so far
 * @param handedOut how many hand-overs there were so far, those of one event each counted
 * @param unsettled how many deliveries are not settled
 * @param pending how many events wait to be delivered for the first time
 * @param requests how many requests for deliveries are open
 * @param changed what others have changed
 */
public record DurableState(StreamState source, long floor, long delivered, long handedOut, long unsettled, long pending,
		int requests, Changed changed) {

	/** The state of a durable of the SDK that delivers the subjects that it must. */
	public DurableState(StreamState source, long floor, long delivered, long handedOut, long unsettled, long pending,
			int requests) {
		this(source, floor, delivered, handedOut, unsettled, pending, requests, Changed.NOTHING);
	}

	/** Whether it delivers other subjects than it must. */
	public boolean filteredOtherwise() {
		return this.changed == Changed.ITS_FILTER;
	}

	/** Whether others than the SDK have made it, in place of a former one. */
	public boolean madeByHand() {
		return this.changed == Changed.ALL;
	}

	/** The stream's name. */
	public String stream() {
		return this.source.name();
	}

	/** When the stream was made: tells its incarnations apart. */
	public Instant streamCreated() {
		return this.source.created();
	}

	/** The last sequence of the stream, of whichever subject. */
	public long lastInStream() {
		return this.source.last();
	}

	/**
	 * Whether it has handed over or settled sequences that the stream does not have: the
	 * stream has lost its end. The stream gives these sequences to other events, which
	 * the durable would not deliver.
	 */
	public boolean isAheadOfItsStream() {
		return Math.max(this.floor, this.delivered) > lastInStream();
	}

	/** What others than the SDK have changed of a durable, by hand or by another tool. */
	public enum Changed {

		/** Nothing that matters to its deliveries. */
		NOTHING,

		/** It delivers other subjects than it must. */
		ITS_FILTER,

		/** They have made it, in place of a former one. */
		ALL

	}

	/**
	 * Where a stream stands.
	 *
	 * @param name its name
	 * @param created when it was made: tells its incarnations apart
	 * @param last its last sequence, of whichever subject
	 */
	public record StreamState(String name, Instant created, long last) {
	}

}
