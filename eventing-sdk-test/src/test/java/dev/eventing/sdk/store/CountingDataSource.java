package dev.eventing.sdk.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements that are prepared, and keeps their texts. */
final class CountingDataSource extends DelegatingDataSource {

	private final List<String> texts = new CopyOnWriteArrayList<>();

	private final AtomicReference<Runnable> beforeLocks = new AtomicReference<>();

	CountingDataSource(DataSource target) {
		super(target);
	}

	int statements() {
		return this.texts.size();
	}

	List<String> texts() {
		return List.copyOf(this.texts);
	}

	/** What happens before the locks are looked at next. */
	void beforeLocks(Runnable task) {
		this.beforeLocks.set(task);
	}

	private void prepared(String sql) {
		this.texts.add(sql);
		if (sql.contains("pg_locks")) {
			Runnable task = this.beforeLocks.getAndSet(null);
			if (task != null) {
				task.run();
			}
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = obtainTargetDataSource().getConnection();
		return (Connection) Proxy.newProxyInstance(CountingDataSource.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						prepared((String) arguments[0]);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

}
