package dev.eventing.soak.node;

import java.util.Locale;

/** The projectors of {@link Projectors}, and what is to be expected of each. */
public enum Projected {

	/** Reads the stream that the relay fills, and writes at once. */
	STREAM_PLAIN(Feed.APPENDED, true),
	/** The same, and leaves its writes to the projector. */
	STREAM_DEFERRED(Feed.APPENDED, true),
	/** The same, many events in one call. */
	STREAM_BATCH(Feed.APPENDED, true),
	/** The same without order. */
	STREAM_UNORDERED(Feed.APPENDED, false),
	/** Reads the event store, and writes at once. */
	STORE_PLAIN(Feed.APPENDED, true),
	/** The same, and leaves its writes to the projector. */
	STORE_DEFERRED(Feed.APPENDED, true),
	/** Reads the event store too, and operators rebuild its table, which is its alone. */
	STORE_REBUILT(Feed.APPENDED, true),
	/** Reads what was published without an event store. */
	PUBLISHED_PLAIN(Feed.PUBLISHED, true);

	/** The table of {@link #STORE_REBUILT}. */
	public static final String REBUILT = "rebuilt";

	/** Where its events begin. */
	public enum Feed {

		/** In the event store. */
		APPENDED,
		/** In the stream. */
		PUBLISHED

	}

	private final Feed feed;

	private final boolean ordered;

	Projected(Feed feed, boolean ordered) {
		this.feed = feed;
		this.ordered = ordered;
	}

	/** The projector's name. */
	public String projector() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	public Feed feed() {
		return this.feed;
	}

	/** Whether it keeps order per key. */
	public boolean isOrdered() {
		return this.ordered;
	}

}
