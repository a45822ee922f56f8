package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.contender.Side;
import io.nats.client.Message;

/** What most write: one thread, and a transaction for each event. */
public final class SingleTransactions implements ProjectorContender {

	/** Its id. */
	public static final String ID = "handwritten-single";

	private static final int PREFETCH = 1000;

	@Override
	public String id() {
		return ID;
	}

	@Override
	public String title() {
		return "by hand: one transaction per event, 1 thread";
	}

	@Override
	public Side side() {
		return Side.HANDWRITTEN;
	}

	@Override
	public Projection prepare(ProjectorRound round) throws Exception {
		return new Run(round);
	}

	private static final class Run implements Projection {

		// The primary key says what is fresh.
		private static final String CLAIM = """
				insert into eventing.processed_events (projector_name, event_id, tenant_id) values (?, ?, ?)
				on conflict do nothing""";

		private final ProjectorRound round;

		private final HikariDataSource pool;

		private final Durable durable;

		Run(ProjectorRound round) throws Exception {
			this.round = round;
			this.pool = Pool.of(round);
			this.pool.getConnection().close();
			this.durable = Durable.open(round, PREFETCH);
		}

		@Override
		public void run() throws Exception {
			try (Connection connection = this.pool.getConnection();
					PreparedStatement claim = connection.prepareStatement(CLAIM);
					PreparedStatement update = connection.prepareStatement(ReadModel.UPDATE)) {
				int done = 0;
				while (done < this.round.events()) {
					Message message = this.durable.next();
					if (message != null) {
						done += apply(Incoming.of(message), claim, update);
						connection.commit();
						message.ack();
					}
				}
			}
		}

		private int apply(Incoming event, PreparedStatement claim, PreparedStatement update) throws SQLException {
			claim.setString(1, this.round.projector());
			claim.setObject(2, event.id());
			claim.setString(3, event.tenant());
			int fresh = claim.executeUpdate();
			if (fresh == 1) {
				StatementPerEvent.bind(update, event.payload());
				update.executeUpdate();
			}
			return fresh;
		}

		@Override
		public void close() {
			this.durable.close();
			this.pool.close();
		}

	}

}
