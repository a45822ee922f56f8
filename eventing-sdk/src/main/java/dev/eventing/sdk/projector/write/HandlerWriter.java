package dev.eventing.sdk.projector.write;

import java.util.Map;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.jspecify.annotations.Nullable;

/**
 * The writer of one call of a handler. It rejects all writes after the handler has
 * returned.
 */
public final class HandlerWriter implements ReadModelWriter, AutoCloseable {

	private final HandlerMethod handler;

	private final Object key;

	private final BatchWrites writes;

	private final Thread thread = Thread.currentThread();

	/** Volatile, because a handler may pass the writer to another thread. */
	private volatile boolean closed;

	private HandlerWriter(HandlerMethod handler, Object key, BatchWrites writes) {
		this.handler = handler;
		this.key = key;
		this.writes = writes;
	}

	/**
	 * Returns a writer for one call of a handler. The events of a batch handler may have
	 * several keys. So its writes come after all earlier writes, and all later writes
	 * come after them.
	 * @param eventKey the ordering key of the event, or of the first one
	 */
	public static HandlerWriter of(BatchWrites writes, HandlerMethod handler, @Nullable String eventKey) {
		if (handler.batch()) {
			writes.separate();
		}
		String key = handler.batch() ? null : eventKey;
		return new HandlerWriter(handler, (key != null) ? key : new Object(), writes);
	}

	@Override
	public void update(String sql, @Nullable Object... args) {
		checkUsable();
		this.writes.update(this.key, sql, args.clone());
	}

	@Override
	public void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas) {
		checkUsable();
		this.writes.add(table, key, deltas);
	}

	@Override
	public void flush() {
		checkUsable();
		this.writes.flush();
	}

	private void checkUsable() {
		if (Thread.currentThread() != this.thread) {
			throw new IllegalStateException("Handler " + this.handler.description() + " runs on thread '"
					+ this.thread.getName() + "', but its ReadModelWriter was used on thread '"
					+ Thread.currentThread().getName()
					+ "', which is not in the transaction. Consider queueing all writes on the handler's thread.");
		}
		if (this.closed) {
			throw new IllegalStateException("Handler " + this.handler.description()
					+ " has returned, so its ReadModelWriter accepts no more writes: they would belong to another"
					+ " event. Consider using the writer only until the handler returns.");
		}
	}

	@Override
	public void close() {
		this.closed = true;
		if (this.handler.batch()) {
			this.writes.separate();
		}
	}

}
