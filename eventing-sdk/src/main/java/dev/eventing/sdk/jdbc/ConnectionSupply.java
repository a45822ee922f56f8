package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the connection of an {@link OwnConnection}: one outside the pool, else one of the
 * pool. The pool may have what its settings do not show, such as credentials that rotate,
 * all the connections that the role may have, or connections through a proxy that opens
 * no more. Each wait is bounded: half the limit of a statement for either place. For one
 * thread at a time.
 */
final class ConnectionSupply {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionSupply.class);

	/** After this many waits a connection outside the pool is tried again. */
	private static final int WAITS_BETWEEN_TRIES = 16;

	private final DataSource dataSource;

	private final int networkMillis;

	private final String purpose;

	private final long waitMillis;

	private @Nullable RequestedConnection<LentConnection> outside;

	/** Keeps its place in the line of the pool from one call to the next. */
	private @Nullable RequestedConnection<LentConnection> ofPool;

	/** When a connection outside the pool is asked for again, by the nano clock. */
	private long nextTry;

	/** Whether the log has that there is no connection outside the pool. */
	private boolean told;

	ConnectionSupply(DataSource dataSource, int networkMillis, String purpose) {
		this.dataSource = dataSource;
		this.networkMillis = networkMillis;
		this.purpose = purpose;
		this.waitMillis = Math.max(1, networkMillis / 2);
	}

	/**
	 * A connection, outside the pool if possible.
	 * @throws SQLException if neither place gives one in time: why there is none outside
	 * the pool, with the failure of the pool as a suppressed one
	 */
	LentConnection get() throws SQLException {
		if (!PoolSettings.hasUrl(this.dataSource)) {
			return ofPool();
		}
		SQLException failure;
		try {
			LentConnection opened = outside(this.waitMillis);
			if (opened != null) {
				return opened;
			}
			failure = RequestedConnection.late("outside the pool", this.waitMillis);
		}
		catch (SQLException ex) {
			failure = ex;
		}
		try {
			return ofPool();
		}
		catch (SQLException ex) {
			LentConnection opened = (this.outside != null) ? outside(0) : null;
			if (opened != null) {
				return opened;
			}
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	private @Nullable LentConnection outside(long millis) throws SQLException {
		RequestedConnection<LentConnection> request = this.outside;
		if (request == null) {
			request = RequestedConnection.of(this.purpose + "-connect", this::connect);
		}
		this.outside = null;
		LentConnection opened = request.await(millis);
		if (opened == null) {
			this.outside = request;
			return null;
		}
		abandonPool();
		if (this.told) {
			this.told = false;
			logger.info("The connection '{}' outside the pool is open again.", this.purpose);
		}
		return opened;
	}

	private LentConnection ofPool() throws SQLException {
		RequestedConnection<LentConnection> request = this.ofPool;
		if (request == null) {
			request = RequestedConnection.of(this.purpose + "-pool",
					() -> LentConnection.of(this.dataSource.getConnection(), this.networkMillis, true));
		}
		this.ofPool = null;
		LentConnection lent = request.await(this.waitMillis);
		if (lent == null) {
			this.ofPool = request;
			throw RequestedConnection.late("of the pool", this.waitMillis);
		}
		// Not told yet: after an outage the pool may only have been faster.
		this.nextTry = System.nanoTime();
		return lent;
	}

	/**
	 * A connection outside the pool to take the place of one of the pool, if there is one
	 * now. Asks for one from time to time. Never waits.
	 */
	@Nullable LentConnection instead() {
		boolean due = this.outside != null || System.nanoTime() - this.nextTry >= 0;
		if (!due || !PoolSettings.hasUrl(this.dataSource)) {
			return null;
		}
		try {
			return outside(0);
		}
		catch (SQLException ex) {
			long pause = WAITS_BETWEEN_TRIES * this.waitMillis;
			this.nextTry = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause);
			if (!this.told) {
				this.told = true;
				logger
					.warn("There is no connection '{}' outside the pool ({}), so one of the pool takes its place and is"
							+ " kept. It is tried again every {} ms. Consider whether a proxy, a firewall or the role limits"
							+ " connections, or a credentials provider of the pool.", this.purpose,
							DatabaseFailure.describe(ex), pause);
			}
			return null;
		}
	}

	/** Asks for nothing any more. What comes later is given back. */
	void rest() {
		abandonPool();
		if (this.outside != null) {
			this.outside.abandon();
			this.outside = null;
		}
	}

	private void abandonPool() {
		if (this.ofPool != null) {
			this.ofPool.abandon();
			this.ofPool = null;
		}
	}

	/** With the current credentials of the pool's provider. */
	private LentConnection connect() throws SQLException {
		PoolSettings settings = PoolSettings.of(this.dataSource);
		if (settings == null) {
			throw new SQLException("The settings of the pool, or its credentials, cannot be read.");
		}
		Properties properties = settings.properties();
		// 0 would mean no limit
		String seconds = String.valueOf(Math.max(1, this.networkMillis / 1000));
		// Properties of PostgreSQL's driver. The same parameters in the URL take
		// precedence.
		for (String wait : new String[] { "connectTimeout", "loginTimeout", "socketTimeout" }) {
			properties.setProperty(wait, seconds);
		}
		properties.setProperty("tcpKeepAlive", "true");
		properties.setProperty("ApplicationName", this.purpose);
		Connection opened = DriverManager.getConnection(settings.url(), properties);
		if (settings.initSql() != null) {
			try (Statement statement = opened.createStatement()) {
				statement.execute(settings.initSql());
			}
			catch (SQLException ex) {
				opened.close();
				throw ex;
			}
		}
		return LentConnection.of(opened, this.networkMillis, false);
	}

}
