package dev.eventing.sdk.store;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class PostgresNotificationsIT {

	private static final String WORKS_AGAIN = "'eventing-notifications' works again.";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final AppendSignal signal = new AppendSignal();

	private final PostgresServer server = this.fixture.opened(PostgresServer.start());

	private final StoreWorld world = this.fixture
		.opened(StoreWorld.on(this.server.createDatabase(), new StoreOptions("test", EventSubjects.DEFAULT, true)));

	private final PostgresNotifications notifications = this.fixture
		.opened(new PostgresNotifications(this.world.dataSource(), SCHEMA, this.signal));

	@BeforeEach
	void listen() {
		this.notifications.start();
		await().until(() -> this.signal.count() == 1);
	}

	@Test
	void tellsOfAppendsOfOtherProcesses() throws Exception {
		append();
		assertThat(this.signal.await(1, Duration.ofSeconds(30))).isTrue();
	}

	@Test
	void listensAgainAfterAnOutage() {
		this.server.kill();
		this.server.restart();
		await().until(() -> this.signal.count() >= 2);
		long seen = this.signal.count();
		await().ignoreExceptions().until(() -> {
			append();
			return true;
		});
		await().until(() -> this.signal.count() > seen);
	}

	@Test
	void givesItsConnectionBackWithoutListeningAnyMore() {
		this.notifications.close();
		this.notifications.close();
		assertThat(this.world.jdbc().queryForList("select pg_listening_channels()", String.class)).isEmpty();
		assertThat(this.world.count("select 1")).isEqualTo(1);
	}

	/** Not when it begins to look: that may hang. */
	@Test
	void worksAgainAfterAnErrorOnceItHasLooked(CapturedOutput output) throws Exception {
		HangingLooks looks = new HangingLooks(this.world.dataSource());
		try (PostgresNotifications others = new PostgresNotifications(looks, SCHEMA, this.signal)) {
			others.start();
			looks.begun.await();
			assertThat(output).contains("NoClassDefFoundError: of the test").doesNotContain(WORKS_AGAIN);
			looks.goOn.countDown();
			await().untilAsserted(() -> assertThat(output).contains(WORKS_AGAIN));
		}
	}

	/** As one does that is away, and is a standby when it comes back. */
	@Test
	void saysOnceWhyAServerIsAwayAndWhyItRefusesToListen(CapturedOutput output) {
		RefusedLooks looks = new RefusedLooks(this.world.dataSource());
		try (PostgresNotifications others = new PostgresNotifications(looks, SCHEMA, this.signal)) {
			others.start();
			await().until(() -> looks.connections.get() >= 4);
		}
		assertThat(output.getAll()).containsOnlyOnce("Connection refused")
			.containsOnlyOnce("cannot execute LISTEN during recovery");
	}

	private void append() {
		this.world.append(ACME, "a-1", ExpectedVersion.any(), NewEvent.of(new Noted("n")));
	}

	record Noted(String text) {
	}

	/** Each of its connections but the first, which is none, refuses to listen. */
	private static final class RefusedLooks extends DelegatingDataSource {

		private final AtomicInteger connections = new AtomicInteger();

		RefusedLooks(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.connections.incrementAndGet() == 1) {
				throw new SQLException("Connection refused", "08001");
			}
			Connection real = super.getConnection();
			return HangingLooks.proxy(Connection.class, (method, arguments) -> {
				if (method.getName().equals("unwrap")) {
					throw new SQLException("cannot execute LISTEN during recovery", "25006");
				}
				return method.invoke(real, arguments);
			});
		}

	}

	/** Its first connection is an error, and looks at the others wait. */
	private static final class HangingLooks extends DelegatingDataSource {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final AtomicBoolean struck = new AtomicBoolean();

		HangingLooks(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (!this.struck.getAndSet(true)) {
				throw new NoClassDefFoundError("of the test");
			}
			Connection real = super.getConnection();
			PGConnection postgres = real.unwrap(PGConnection.class);
			PGConnection hanging = proxy(PGConnection.class, (method, arguments) -> {
				this.begun.countDown();
				this.goOn.await();
				return method.invoke(postgres, arguments);
			});
			return proxy(Connection.class, (method, arguments) -> method.getName().equals("unwrap") ? hanging
					: method.invoke(real, arguments));
		}

		private static <T> T proxy(Class<T> type, Call call) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(self, method, arguments) -> call.on(method, arguments)));
		}

		/** A call of the driver. */
		private interface Call {

			Object on(Method method, Object[] arguments) throws Exception;

		}

	}

}
