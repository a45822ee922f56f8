package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.sdk.jdbc.JdbcOptions;
import io.nats.client.Message;
import org.jspecify.annotations.Nullable;

/**
 * One thread reads, others apply: keys are shared out to them by hash, and each commits
 * what has gathered.
 *
 * @param style how effects are written
 * @param threads how many apply
 */
public record BatchLoop(Style style, int threads) implements ProjectorContender {

	/** The most events in one transaction. */
	public static final int BATCH_SIZE = BatchLane.BATCH;

	@Override
	public String id() {
		return "handwritten-" + this.style.id + "-" + this.threads;
	}

	@Override
	public String title() {
		return "by hand: " + this.style.title + ((this.threads == 1) ? ", 1 lane" : ", " + this.threads + " lanes");
	}

	@Override
	public @Nullable String loopByHand() {
		return switch (this.style) {
			case BATCH, BATCHED, SET -> null;
			case TEMPLATE, BOUNDED -> new BatchLoop(Style.BATCH, this.threads).id();
			case ENVELOPE -> new BatchLoop(Style.SET, this.threads).id();
		};
	}

	@Override
	public Side side() {
		return Side.HANDWRITTEN;
	}

	@Override
	public Projection prepare(ProjectorRound round) throws Exception {
		return new Run(round);
	}

	/** How effects are written. */
	public enum Style {

		/** A statement for each event. */
		BATCH("batch", "batches, a statement per event"),

		/** A statement for each event, by Spring's template as in a handler. */
		TEMPLATE("template", "batches, a JdbcTemplate statement per event"),

		/** The same, where no statement waits for an answer without a limit. */
		BOUNDED("bounded", "batches, a JdbcTemplate statement per event, network time-out"),

		/** A statement for each event, sent together by JDBC. */
		BATCHED("batched", "batches, JDBC-batched statements"),

		/** A statement for all events. */
		SET("set", "batches, one set-based statement"),

		/** A statement for all events, of which all is read that a handler is told. */
		ENVELOPE("envelope", "batches, one set-based statement, all attributes read");

		private final String id;

		private final String title;

		Style(String id, String title) {
			this.id = id;
			this.title = title;
		}

		/** With the SDK's default, see {@link JdbcOptions#handlerTimeout}. */
		private static Effects bounded(Connection connection) throws SQLException {
			connection.setNetworkTimeout(Runnable::run,
					Math.toIntExact(JdbcOptions.DEFAULT_HANDLER_TIMEOUT.toMillis()));
			return new TemplatePerEvent(connection);
		}

		private Effects effectsOn(Connection connection) throws SQLException {
			return switch (this) {
				case BATCH -> new StatementPerEvent(connection);
				case TEMPLATE -> new TemplatePerEvent(connection);
				case BOUNDED -> bounded(connection);
				case BATCHED -> new JdbcBatch(connection);
				case SET -> new SetBased(connection);
				case ENVELOPE -> new EnvelopeRead(new SetBased(connection));
			};
		}

	}

	private final class Run implements Projection {

		private final HikariDataSource pool;

		private final Durable durable;

		private final Progress progress;

		private final List<BatchLane> lanes = new ArrayList<>();

		private final List<Thread> workers = new ArrayList<>();

		Run(ProjectorRound round) throws Exception {
			this.pool = Pool.of(round);
			this.progress = new Progress(round.events());
			int lanes = BatchLoop.this.threads;
			for (int lane = 0; lane < lanes; lane++) {
				this.lanes.add(new BatchLane(this.pool.getConnection(), round.projector(),
						BatchLoop.this.style::effectsOn, this.progress));
			}
			// As much as the lanes may hold, and as much again.
			this.durable = Durable.open(round, 4 * BatchLane.BATCH * lanes);
		}

		@Override
		public void run() throws Exception {
			for (BatchLane lane : this.lanes) {
				Thread worker = new Thread(lane, "handwritten-lane");
				worker.start();
				this.workers.add(worker);
			}
			while (!this.progress.isOver()) {
				Message message = this.durable.next();
				if (message != null) {
					int lane = Math.floorMod(Incoming.keyOf(message).hashCode(), this.lanes.size());
					this.lanes.get(lane).accept(message);
				}
			}
			this.progress.requireGood();
		}

		@Override
		public void close() {
			this.workers.forEach(Thread::interrupt);
			this.durable.close();
			this.pool.close();
		}

	}

}
