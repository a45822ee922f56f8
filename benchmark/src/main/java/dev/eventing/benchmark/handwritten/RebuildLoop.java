package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.contender.Side;

/**
 * One thread reads the events page by page, others write: accounts are shared out to them
 * by hash, and each commits what has gathered, with the position it has reached. So it
 * could continue after a crash, and needs no claims.
 *
 * @param batched whether statements are sent together by JDBC, else one by one
 * @param threads how many write
 */
public record RebuildLoop(boolean batched, int threads) implements RebuildContender {

	private static final int PAGE = 2_000;

	// Served by the primary key; all events have the one type.
	private static final String READ = """
			select global_position, stream_id, payload from eventing.events
			 where global_position > ? order by global_position limit ?""";

	@Override
	public String id() {
		return "handwritten-rebuild-" + (this.batched ? "batched-" : "") + this.threads;
	}

	@Override
	public String title() {
		return "by hand: pages of the events, " + (this.batched ? "JDBC-batched upserts" : "an upsert per event") + ", "
				+ this.threads + " lanes";
	}

	@Override
	public Side side() {
		return Side.HANDWRITTEN;
	}

	@Override
	public Rebuild prepare(ProjectorRound round) throws SQLException {
		return new Run(round);
	}

	private final class Run implements Rebuild {

		private final HikariDataSource pool;

		private final Progress progress;

		private final List<RebuildLane> lanes = new ArrayList<>();

		private final List<Thread> workers = new ArrayList<>();

		Run(ProjectorRound round) throws SQLException {
			this.pool = Pool.of(round);
			this.progress = new Progress(round.events());
			try (Connection connection = this.pool.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute(RebuildLane.POSITIONS);
				connection.commit();
			}
			for (int lane = 0; lane < RebuildLoop.this.threads; lane++) {
				this.lanes
					.add(new RebuildLane(this.pool.getConnection(), lane, RebuildLoop.this.batched, this.progress));
			}
		}

		@Override
		public void begin() {
			// the read model is empty
		}

		@Override
		public void run() throws Exception {
			for (RebuildLane lane : this.lanes) {
				Thread worker = new Thread(lane, "handwritten-rebuild");
				worker.start();
				this.workers.add(worker);
			}
			try (Connection connection = this.pool.getConnection();
					PreparedStatement read = connection.prepareStatement(READ)) {
				long position = 0;
				long before = -1;
				while (position > before) {
					before = position;
					position = readPage(read, before);
					connection.commit();
				}
			}
			for (RebuildLane lane : this.lanes) {
				lane.end();
			}
			for (Thread worker : this.workers) {
				worker.join();
			}
			this.progress.requireGood();
		}

		/**
		 * The position of the last event of the page, or the one before if it is empty.
		 */
		private long readPage(PreparedStatement read, long behind) throws SQLException, InterruptedException {
			long last = behind;
			read.setLong(1, behind);
			read.setInt(2, PAGE);
			try (ResultSet row = read.executeQuery()) {
				while (row.next()) {
					last = row.getLong(1);
					String account = row.getString(2);
					RebuildLane lane = this.lanes.get(Math.floorMod(account.hashCode(), this.lanes.size()));
					lane.accept(new RebuildLane.Stored(last, row.getBytes(3)));
				}
			}
			return last;
		}

		@Override
		public void close() {
			this.workers.forEach(Thread::interrupt);
			this.pool.close();
		}

	}

}
