package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Recognizes a connection to a standby, which accepts no writes: a pool keeps connections
 * to a former primary. The server tells what it is when that changes, so this asks only
 * the driver.
 */
final class Standby {

	private static final Logger logger = LoggerFactory.getLogger(Standby.class);

	private static final String REPORTED = "in_hot_standby";

	private Standby() {
	}

	/**
	 * Whether the server was a standby when it answered last. False if that is not known.
	 */
	static boolean answers(Connection connection) {
		ClassLoader loader = Standby.class.getClassLoader();
		try {
			Class<?> driver = ClassUtils.forName(BrokenTransactions.DRIVER, loader);
			Object reported = driver.getMethod("getParameterStatus", String.class)
				.invoke(connection.unwrap(driver), REPORTED);
			return "on".equals(reported);
		}
		catch (SQLException | ReflectiveOperationException ex) {
			logger.trace("It is not known whether a server is a standby.", ex);
			return false;
		}
	}

}
