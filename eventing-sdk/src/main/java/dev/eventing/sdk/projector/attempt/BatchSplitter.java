package dev.eventing.sdk.projector.attempt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;

/**
 * What is left to run of a batch, in parts that are a transaction each, in order. For one
 * thread.
 */
public final class BatchSplitter {

	private final Deque<List<Work>> parts = new ArrayDeque<>();

	public BatchSplitter(List<Work> batch) {
		putFirst(batch);
	}

	public boolean isEmpty() {
		return this.parts.isEmpty();
	}

	/**
	 * So many of the next part at most; the rest of it comes after. Suspects are looked
	 * up all at once, marked in groups, and run alone where a process died while they
	 * were marked, however they came together again.
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

	/** These come next. */
	public void putFirst(List<Work> part) {
		if (!part.isEmpty()) {
			this.parts.push(part);
		}
	}

	/**
	 * Cuts a failed part so that its events run in order again: around the event whose
	 * handler threw, or in halves when the transaction failed as a whole.
	 */
	public void putFirst(List<Work> part, Throwable failure) {
		Work culprit = (failure instanceof HandlerFailedException handler) ? handler.culprit() : null;
		int at = (culprit != null) ? part.indexOf(culprit) : -1;
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

}
