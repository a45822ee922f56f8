package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** A thread that writes what the events of some accounts do. */
final class RebuildLane implements Runnable {

	/** Where lanes keep how far they are. */
	static final String POSITIONS = "create table rebuild_position (lane int primary key, position bigint not null)";

	private static final String MOVE = """
			insert into rebuild_position (lane, position) values (?, ?)
			on conflict (lane) do update set position = excluded.position""";

	private static final ObjectReader PAYLOADS = JsonMapper.builder().build().readerFor(AccountChanged.class);

	private static final long PAUSE_MS = 100;

	/** Nothing comes after it. */
	private static final Stored END = new Stored(Long.MAX_VALUE, new byte[0]);

	private final BlockingQueue<Stored> queue = new ArrayBlockingQueue<>(2 * BatchLane.BATCH);

	private final Connection connection;

	private final int number;

	private final boolean batched;

	private final Progress progress;

	RebuildLane(Connection connection, int number, boolean batched, Progress progress) {
		this.connection = connection;
		this.number = number;
		this.batched = batched;
		this.progress = progress;
	}

	/** Waits for room, unless all is over. */
	void accept(Stored event) throws InterruptedException {
		while (!this.queue.offer(event, PAUSE_MS, TimeUnit.MILLISECONDS) && !this.progress.isOver()) {
			// full: the lane is at work
		}
	}

	/** Lets the lane end when it has written what it was given. */
	void end() throws InterruptedException {
		accept(END);
	}

	@Override
	public void run() {
		try (Connection connected = this.connection;
				PreparedStatement upsert = connected.prepareStatement(ReadModel.UPSERT);
				PreparedStatement move = connected.prepareStatement(MOVE)) {
			List<Stored> batch = take();
			while (!batch.isEmpty()) {
				apply(batch, upsert);
				move.setInt(1, this.number);
				move.setLong(2, batch.get(batch.size() - 1).position());
				move.executeUpdate();
				connected.commit();
				this.progress.add(batch.size());
				batch = take();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (SQLException | RuntimeException ex) {
			this.progress.fail(ex);
		}
	}

	private List<Stored> take() throws InterruptedException {
		List<Stored> batch = new ArrayList<>(BatchLane.BATCH);
		batch.add(this.queue.take());
		this.queue.drainTo(batch, BatchLane.BATCH - 1);
		if (batch.get(batch.size() - 1) != END) {
			return batch;
		}
		batch.remove(batch.size() - 1);
		if (!batch.isEmpty()) {
			this.queue.add(END);
		}
		return batch;
	}

	private void apply(List<Stored> batch, PreparedStatement upsert) throws SQLException {
		for (Stored event : batch) {
			AccountChanged change = PAYLOADS.readValue(event.payload());
			upsert.setString(1, change.account());
			upsert.setLong(2, change.amount());
			upsert.setLong(3, change.change());
			if (this.batched) {
				upsert.addBatch();
			}
			else {
				upsert.executeUpdate();
			}
		}
		if (this.batched) {
			upsert.executeBatch();
		}
	}

	/** An event as the event store has it; compared by identity. */
	static final class Stored {

		private final long position;

		private final byte[] payload;

		Stored(long position, byte[] payload) {
			this.position = position;
			this.payload = payload;
		}

		long position() {
			return this.position;
		}

		byte[] payload() {
			return this.payload;
		}

	}

}
