package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;

/** G11: handlers may prepare {@code select *}, although a switch changes the columns. */
class G11PreparedStatementsIT extends BesideSetup {

	private static final String SELECT = "select * from account where account = ?";

	/** A failure that counts would be a dead letter at once. */
	@Test
	void countsNoAttemptWhereAPreparedSelectMeetsOtherColumns() throws SQLException {
		Selecting accounts = new Selecting();
		appendAll(1, 20);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(20);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.jdbc().execute("alter table accounts_g2.account add column note text");
			prepareOnAllConnections(application.getBean(HikariDataSource.class));
			CountDownLatch live = new CountDownLatch(1);
			accounts.waitsBeside.put("a0", live);
			switchTo(2);
			appendAll(21, 40);
			awaitVersions(40);
			live.countDown();
			awaitVersions("accounts_g1", 40);
			assertThat(accounts.met).as("statements that met other columns").hasPositiveValue();
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
			assertThatTheReadModelIsExact("public", 40);
			assertThatTheReadModelIsExact("accounts_g1", 40);
			retire(1);
			assertThatNothingIsLeft();
		}
	}

	/**
	 * The driver prepares what it has sent five times. It prepares it again only where it
	 * sets another search path, as for the former generation, which waits meanwhile.
	 */
	private static void prepareOnAllConnections(HikariDataSource pool) throws SQLException {
		List<Connection> connections = new ArrayList<>();
		try {
			while (connections.size() < pool.getMaximumPoolSize()) {
				Connection connection = pool.getConnection();
				connections.add(connection);
				for (int execution = 0; execution < 6; execution++) {
					try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
						statement.setString(1, "a1");
						statement.executeQuery().close();
					}
				}
			}
		}
		finally {
			for (Connection connection : connections) {
				connection.close();
			}
		}
	}

	/** A handler that reads whatever columns there are. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Selecting extends Failing {

		final AtomicInteger met = new AtomicInteger();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1,
				maxDeliver = 1)
		public void on(Deposited event, UUID eventId, String tenantId) {
			try {
				this.jdbc.queryForList(SELECT, event.account());
			}
			catch (UncategorizedSQLException ex) {
				this.met.incrementAndGet();
				throw ex;
			}
			apply(event, tenantId);
		}

	}

}
