package dev.eventing.sdk.projector.attempt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;

/** The rest of a batch, in parts. Each part is one transaction. For one thread. */
public final class BatchSplitter {

	private final Deque<List<Work>> parts = new ArrayDeque<>();

	public BatchSplitter(List<Work> batch) {
		putFirst(batch);
	}

	public boolean isEmpty() {
		return this.parts.isEmpty();
	}

	/**
	 * Removes and returns the next events, at most this number of them. Suspects that
	 * must be looked up are returned all at once. Suspects that have a mark, or need one,
	 * are returned in groups of at most {@value Suspects#GROUP}. A likely suspect is
	 * returned alone.
	 */
	public List<Work> next(int most) {
		List<Work> part = this.parts.pop();
		int fitting = switch (part.get(0).suspicion()) {
			case POSSIBLE -> part.size();
			case LIKELY, COUNTED -> 1;
			case UNMARKED, MARKED -> Math.min(most, Suspects.GROUP);
			case NONE -> most;
		};
		if (part.size() <= fitting) {
			return part;
		}
		putFirst(part.subList(fitting, part.size()));
		return part.subList(0, fitting);
	}

	/** Puts events before the rest. */
	public void putFirst(List<Work> part) {
		if (!part.isEmpty()) {
			this.parts.push(part);
		}
	}

	/**
	 * Cuts a failed part and puts its events before the rest, in order. Cuts around the
	 * event whose handler threw, or in halves if the whole transaction failed.
	 */
	public void putFirst(List<Work> part, Throwable failure) {
		int at = culprit(part, failure);
		if (at < 0) {
			int half = part.size() / 2;
			putFirst(part.subList(half, part.size()));
			putFirst(part.subList(0, half));
			return;
		}
		putFirst(part.subList(at + 1, part.size()));
		putFirst(part.subList(at, at + 1));
		putFirst(part.subList(0, at));
	}

	/**
	 * Returns the index of the event whose handler threw, or -1 if the failure is not
	 * that of one event.
	 */
	static int culprit(List<Work> part, Throwable failure) {
		RoutedEvent culprit = (failure instanceof HandlerFailedException handler) ? handler.culprit() : null;
		for (int at = 0; culprit != null && at < part.size(); at++) {
			if (part.get(at).routed() == culprit) {
				return at;
			}
		}
		return -1;
	}

}
