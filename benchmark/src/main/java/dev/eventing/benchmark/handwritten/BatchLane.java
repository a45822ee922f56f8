package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import io.nats.client.Message;

/** A thread that applies some keys: queued events become one transaction. */
final class BatchLane implements Runnable {

	/** The most events in one transaction, as with the SDK unless told otherwise. */
	static final int BATCH = 1000;

	private static final long PAUSE_MS = 100;

	private final BlockingQueue<Message> queue = new ArrayBlockingQueue<>(2 * BATCH);

	private final Connection connection;

	private final String projector;

	private final EffectsFactory effects;

	private final Progress progress;

	BatchLane(Connection connection, String projector, EffectsFactory effects, Progress progress) {
		this.connection = connection;
		this.projector = projector;
		this.effects = effects;
		this.progress = progress;
	}

	/** Waits for room, unless all is over. */
	void accept(Message message) throws InterruptedException {
		while (!this.queue.offer(message, PAUSE_MS, TimeUnit.MILLISECONDS) && !this.progress.isOver()) {
			// full: the lane is at work
		}
	}

	@Override
	public void run() {
		try (Claims claims = new Claims(this.connection, this.projector);
				Effects writer = this.effects.on(this.connection)) {
			while (true) {
				apply(take(), claims, writer);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (SQLException | RuntimeException ex) {
			this.progress.fail(ex);
		}
	}

	private List<Message> take() throws InterruptedException {
		List<Message> messages = new ArrayList<>(BATCH);
		messages.add(this.queue.take());
		this.queue.drainTo(messages, BATCH - 1);
		return messages;
	}

	private void apply(List<Message> messages, Claims claims, Effects writer) throws SQLException {
		List<Incoming> batch = new ArrayList<>(messages.size());
		messages.forEach((message) -> batch.add(Incoming.of(message)));
		List<Incoming> fresh = claims.fresh(batch);
		if (!fresh.isEmpty()) {
			writer.apply(fresh);
		}
		this.connection.commit();
		messages.forEach(Message::ack);
		this.progress.add(fresh.size());
	}

	/** Makes the writer of a lane. */
	interface EffectsFactory {

		Effects on(Connection connection) throws SQLException;

	}

}
