package dev.eventing.sdk.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.Properties;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * How a HikariCP pool connects. Read by reflection, because the SDK is not compiled
 * against HikariCP.
 *
 * @param url the JDBC URL
 * @param properties the driver's properties, with user and password; a copy for the
 * caller
 * @param initSql what the pool executes on each new connection, or null
 */
record PoolSettings(String url, Properties properties, @Nullable String initSql) {

	private static final Logger logger = LoggerFactory.getLogger(PoolSettings.class);

	static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

	static final String PROVIDER = "com.zaxxer.hikari.HikariCredentialsProvider";

	/** The class of the provider's credentials. */
	static final String CREDENTIALS = "com.zaxxer.hikari.util.Credentials";

	/** Omits the secrets. */
	@Override
	public String toString() {
		return "PoolSettings";
	}

	/** Null if the DataSource is not a HikariCP pool, or the pool has no URL. */
	static @Nullable PoolSettings of(DataSource dataSource) {
		return ask(dataSource, PoolSettings::read);
	}

	/** Whether the DataSource is a HikariCP pool with a URL. Reads no credentials. */
	static boolean hasUrl(DataSource dataSource) {
		return Boolean.TRUE.equals(ask(dataSource, (type, pool) -> url(type, pool) != null));
	}

	/**
	 * Whether the DataSource is a closed HikariCP pool.
	 */
	static boolean isClosed(DataSource dataSource) {
		return Boolean.TRUE.equals(ask(dataSource, (type, pool) -> get(type, pool, "isClosed")));
	}

	private static <T> @Nullable T ask(DataSource dataSource, Question<T> question) {
		ClassLoader loader = PoolSettings.class.getClassLoader();
		if (!ClassUtils.isPresent(HIKARI, loader)) {
			return null;
		}
		Class<?> type = ClassUtils.resolveClassName(HIKARI, loader);
		try {
			return dataSource.isWrapperFor(type) ? question.ask(type, dataSource.unwrap(type)) : null;
		}
		catch (SQLException | ReflectiveOperationException ex) {
			logger.debug("The settings of the pool cannot be read.", ex);
			return null;
		}
	}

	private static @Nullable PoolSettings read(Class<?> type, Object pool) throws ReflectiveOperationException {
		String url = url(type, pool);
		if (url == null) {
			return null;
		}
		Properties properties = new Properties();
		if (get(type, pool, "getDataSourceProperties") instanceof Properties own) {
			properties.putAll(own);
		}
		Object provided = provided(type, pool);
		Object credentials = (provided != null) ? provided : pool;
		Class<?> from = (provided != null) ? provided.getClass() : type;
		put(properties, "user", get(from, credentials, "getUsername"));
		put(properties, "password", get(from, credentials, "getPassword"));
		return new PoolSettings(url, properties, (String) get(type, pool, "getConnectionInitSql"));
	}

	/** Null if the pool has none, or a DataSource of its own. */
	private static @Nullable String url(Class<?> type, Object pool) throws ReflectiveOperationException {
		return (get(type, pool, "getDataSource") == null) ? (String) get(type, pool, "getJdbcUrl") : null;
	}

	/**
	 * The current credentials of the pool's provider; null if the pool has none, as
	 * versions of HikariCP before 7 have none.
	 */
	private static @Nullable Object provided(Class<?> type, Object pool) throws ReflectiveOperationException {
		if (!ClassUtils.isPresent(PROVIDER, type.getClassLoader())) {
			return null;
		}
		Object provider = get(type, pool, "getCredentialsProvider");
		return (provider != null)
				? get(ClassUtils.resolveClassName(PROVIDER, type.getClassLoader()), provider, "getCredentials") : null;
	}

	private static void put(Properties properties, String name, @Nullable Object value) {
		if (value != null) {
			properties.put(name, value);
		}
	}

	private static @Nullable Object get(Class<?> type, Object pool, String getter)
			throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
		return type.getMethod(getter).invoke(pool);
	}

	/** A query of a pool by reflection. */
	private interface Question<T> {

		@Nullable T ask(Class<?> type, Object pool) throws ReflectiveOperationException;

	}

}
