package dev.eventing.sdk.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.core.InfrastructureProxy;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A DataSource whose statements have a time limit, whether the server is slow or silent.
 * It represents the DataSource it wraps: in a transaction of that DataSource, Spring's
 * templates use the transaction's connection, to which the limit does not apply. Outside
 * a transaction each statement commits automatically, even if the pool disables
 * autocommit. A connection returns to the pool in its former state. Thread-safe.
 */
public final class BoundedDataSource extends DelegatingDataSource implements InfrastructureProxy {

	private final StatementBound bound;

	private BoundedDataSource(DataSource target, StatementBound bound) {
		super(target);
		this.bound = bound;
	}

	/**
	 * A DataSource that limits the time of each statement. Replaces the limit if the
	 * target has one already.
	 * @param longest the limit for one statement, one second or more
	 */
	public static BoundedDataSource of(DataSource target, Duration longest) {
		DataSource unbounded = (target instanceof BoundedDataSource bounded) ? bounded.obtainTargetDataSource()
				: target;
		return new BoundedDataSource(unbounded, StatementBound.of(longest));
	}

	@Override
	public Object getWrappedObject() {
		return obtainTargetDataSource();
	}

	@Override
	public Connection getConnection() throws SQLException {
		return bounded(super.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return bounded(super.getConnection(username, password));
	}

	private Connection bounded(Connection connection) throws SQLException {
		try {
			FormerState before = FormerState.borrow(connection, this.bound.networkMillis());
			return (Connection) Proxy.newProxyInstance(BoundedDataSource.class.getClassLoader(),
					new Class<?>[] { Connection.class }, new BoundedConnection(connection, this.bound, before));
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * Limits the statements of a connection, and restores the connection when it is
	 * closed.
	 */
	private static final class BoundedConnection implements InvocationHandler {

		private final Connection connection;

		private final StatementBound bound;

		private final FormerState before;

		BoundedConnection(Connection connection, StatementBound bound, FormerState before) {
			this.connection = connection;
			this.bound = bound;
			this.before = before;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
			return switch (method.getName()) {
				case "equals" -> proxy == ((arguments != null) ? arguments[0] : null);
				case "hashCode" -> System.identityHashCode(proxy);
				case "close" -> {
					close();
					yield null;
				}
				default -> bounded(call(method, arguments));
			};
		}

		private @Nullable Object bounded(@Nullable Object made) throws SQLException {
			return (made instanceof Statement statement) ? this.bound.applyTo(statement) : made;
		}

		private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
			try {
				return method.invoke(this.connection, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private void close() throws SQLException {
			try (Connection closed = this.connection) {
				this.before.restore(closed);
			}
		}

	}

}
