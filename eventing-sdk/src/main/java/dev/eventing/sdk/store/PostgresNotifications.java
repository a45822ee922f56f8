package dev.eventing.sdk.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.NamedCauses;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Listens to PostgreSQL's notifications of appends in other processes, and signals them
 * to the {@link AppendSignal}. Keeps one connection of the DataSource, on a daemon
 * thread, and returns it in its former state. A lost connection is replaced; appends that
 * may have been missed are signalled as one. The channel has the name of the schema.
 */
public final class PostgresNotifications implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PostgresNotifications.class);

	static final String DRIVER = "org.postgresql.PGConnection";

	/** How long one wait for notifications lasts. Closing waits for its end. */
	private static final int LOOK_MILLIS = 250;

	/**
	 * The number of waits without a notification after which a query checks the
	 * connection.
	 */
	private static final int SILENT_LOOKS = 40;

	private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);

	private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

	private final DataSource dataSource;

	private final EventingSchema schema;

	private final AppendSignal signal;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-notifications", this::run);

	/** Why listening fails, as the log has it. */
	private final NamedCauses named = new NamedCauses();

	public PostgresNotifications(DataSource dataSource, EventingSchema schema, AppendSignal signal) {
		this.dataSource = dataSource;
		this.schema = schema;
		this.signal = signal;
	}

	static String channel(EventingSchema schema) {
		return schema.name();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	/** Starts to listen. Does not wait for the database. */
	public void start() {
		this.worker.start();
	}

	/** Stops listening and returns the connection. Cannot be started again. */
	@Override
	public void close() {
		this.worker.requestStop();
		try {
			this.worker.join(CLOSED_WITHIN);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void run() throws InterruptedException {
		do {
			try (Connection connection = this.dataSource.getConnection()) {
				listen(connection);
			}
			catch (SQLException | RuntimeException ex) {
				// each second during an outage, and while a standby refuses to listen
				if (this.named.isNews(ex)) {
					logger.warn("Listening on channel '{}' failed and is retried: {}. Until then appends of other "
							+ "processes are found by polling.", channel(this.schema), ex.getMessage());
				}
			}
		}
		while (!this.worker.awaitStop(RECONNECT_AFTER));
	}

	/**
	 * Listens until closed. Then stops listening, because the connection returns to the
	 * pool.
	 */
	private void listen(Connection connection) throws SQLException {
		boolean quiet = false;
		try {
			boolean autoCommit = connection.getAutoCommit();
			connection.setAutoCommit(true);
			listenUntilStopped(connection);
			connection.setAutoCommit(autoCommit);
			quiet = true;
		}
		finally {
			if (!quiet) {
				connection.abort(Runnable::run);
			}
		}
	}

	private void listenUntilStopped(Connection connection) throws SQLException {
		Class<?> driver = driver();
		Object postgres = connection.unwrap(driver);
		Method look = ClassUtils.getMethod(driver, "getNotifications", int.class);
		execute(connection, "listen \"" + channel(this.schema) + '"');
		this.named.clear();
		// There are no notifications of earlier appends.
		this.signal.appended();
		int silent = 0;
		while (!this.worker.isStopping()) {
			if (isNotified(postgres, look)) {
				silent = 0;
				this.signal.appended();
			}
			else if (++silent % SILENT_LOOKS == 0) {
				execute(connection, "select 1");
			}
			this.worker.beat();
		}
		// The pool passes the connection on.
		execute(connection, "unlisten *");
	}

	/** Loads the driver by name: the SDK is not compiled against it. */
	private static Class<?> driver() {
		return ClassUtils.resolveClassName(DRIVER, PostgresNotifications.class.getClassLoader());
	}

	private static boolean isNotified(Object postgres, Method look) throws SQLException {
		try {
			Object[] notifications = (Object[]) look.invoke(postgres, LOOK_MILLIS);
			return notifications != null && notifications.length > 0;
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof SQLException failure) {
				throw failure;
			}
			throw new SQLException(ex);
		}
		catch (IllegalAccessException ex) {
			throw new SQLException(ex);
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
