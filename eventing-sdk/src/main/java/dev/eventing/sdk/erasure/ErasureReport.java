package dev.eventing.sdk.erasure;

import java.util.List;

/**
 * What an erasure has erased, or would erase. Has no contents of events.
 *
 * @param known whether there is such a stream
 * @param erased what is erased, by kind, also kinds of which there is nothing
 * @param notErased what may have contents of the stream and is not erased, with the
 * reason
 * @param outside statements that erase what lies in JetStream
 * @param pending what may still bring out contents that it had read before; empty unless
 * something did not answer in time
 */
public record ErasureReport(boolean known, List<Erased> erased, List<String> notErased, List<String> outside,
		List<String> pending) {

	public ErasureReport {
		erased = List.copyOf(erased);
		notErased = List.copyOf(notErased);
		outside = List.copyOf(outside);
		pending = List.copyOf(pending);
	}

	/** How much is erased in all. */
	public long total() {
		return this.erased.stream().mapToLong(Erased::count).sum();
	}

	/**
	 * Things of one kind.
	 *
	 * @param what the kind, in the plural
	 * @param count how many
	 */
	public record Erased(String what, long count) {
	}

}
