package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.AccountState;
import dev.eventing.benchmark.contender.LiveViewContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import tools.jackson.databind.json.JsonMapper;

/**
 * The loop that live dashboards are written as: load the state, fold the event into it,
 * update it, commit, and broadcast it. One thread, and a transaction for each event. It
 * knows no duplicates, and two of them would overwrite each other's states.
 */
public final class NaiveLiveView implements LiveViewContender {

	private static final String CREATE = "create table dashboard (id text primary key, state jsonb not null, version bigint not null)";

	private static final String LOAD = "select state, version from dashboard where id = ?";

	private static final String UPDATE = """
			insert into dashboard (id, state, version) values (?, ?::jsonb, ?)
			on conflict (id) do update set state = excluded.state, version = excluded.version""";

	private static final String ROWS = AccountState.rows("dashboard", "id");

	private static final int PREFETCH = 1000;

	@Override
	public String id() {
		return "handwritten-live-view";
	}

	@Override
	public String title() {
		return "by hand: load, fold, update, broadcast, 1 thread";
	}

	@Override
	public Side side() {
		return Side.HANDWRITTEN;
	}

	@Override
	public String table() {
		return ROWS;
	}

	@Override
	public boolean pushed() {
		return true;
	}

	@Override
	public Projection prepare(ProjectorRound round) throws Exception {
		return new Run(round);
	}

	private static final class Run implements Projection {

		private static final JsonMapper JSON = JsonMapper.builder().build();

		private final ProjectorRound round;

		private final HikariDataSource pool;

		private final Durable durable;

		private final io.nats.client.Connection broadcaster;

		Run(ProjectorRound round) throws Exception {
			this.round = round;
			this.pool = Pool.of(round);
			try (Connection connection = this.pool.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute(CREATE);
				connection.commit();
			}
			this.durable = Durable.open(round, PREFETCH);
			this.broadcaster = Nats.connect(round.natsUrl());
		}

		@Override
		public void run() throws Exception {
			try (Connection connection = this.pool.getConnection();
					PreparedStatement load = connection.prepareStatement(LOAD);
					PreparedStatement update = connection.prepareStatement(UPDATE)) {
				int done = 0;
				while (done < this.round.events()) {
					Message message = this.durable.next();
					if (message != null) {
						apply(Incoming.of(message), load, update);
						message.ack();
						done++;
					}
				}
			}
		}

		private void apply(Incoming event, PreparedStatement load, PreparedStatement update) throws SQLException {
			String account = event.payload().account();
			Versioned before = load(account, load);
			long version = before.version() + 1;
			String state = JSON.writeValueAsString(before.state().after(event.payload()));
			update.setString(1, account);
			update.setString(2, state);
			update.setLong(3, version);
			update.executeUpdate();
			update.getConnection().commit();
			broadcast(event.tenant(), account, version, state);
		}

		private static Versioned load(String account, PreparedStatement load) throws SQLException {
			load.setString(1, account);
			try (ResultSet row = load.executeQuery()) {
				return row.next() ? new Versioned(JSON.readValue(row.getString(1), AccountState.class), row.getLong(2))
						: new Versioned(AccountState.NONE, 0);
			}
		}

		private void broadcast(String tenant, String account, long version, String state) {
			Headers headers = new Headers();
			headers.add(VERSION, Long.toString(version));
			this.broadcaster.publish(NatsMessage.builder()
				.subject("projection." + tenant + "." + this.round.projector() + "." + account)
				.headers(headers)
				.data(state)
				.build());
		}

		@Override
		public void close() {
			this.durable.close();
			this.pool.close();
			try {
				this.broadcaster.close();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private record Versioned(AccountState state, long version) {
	}

}
