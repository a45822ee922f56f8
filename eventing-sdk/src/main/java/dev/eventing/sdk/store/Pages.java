package dev.eventing.sdk.store;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A stream over pages. Each page is read when the previous one has been consumed. */
final class Pages extends AbstractSpliterator<StoredEvent> {

	private final LongFunction<List<StoredEvent>> next;

	private final Queue<StoredEvent> page = new ArrayDeque<>();

	private long remaining;

	private Pages(LongFunction<List<StoredEvent>> next, long limit) {
		super(limit, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
		this.next = next;
		this.remaining = limit;
	}

	/**
	 * Sequential and lazy.
	 * @param next reads a page of at most the given number of events; an empty page is
	 * the end
	 * @param limit the maximum number of events of the stream
	 */
	static Stream<StoredEvent> stream(LongFunction<List<StoredEvent>> next, long limit) {
		return StreamSupport.stream(new Pages(next, limit), false);
	}

	@Override
	public boolean tryAdvance(Consumer<? super StoredEvent> action) {
		if (this.page.isEmpty() && this.remaining > 0) {
			this.page.addAll(this.next.apply(this.remaining));
			this.remaining = this.page.isEmpty() ? 0 : this.remaining - this.page.size();
		}
		StoredEvent event = this.page.poll();
		if (event == null) {
			return false;
		}
		action.accept(event);
		return true;
	}

}
