package dev.eventing.sdk.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.schema.DatabaseUnavailableException;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.SameDatabase;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the Flyway whose connections create the SDK's tables, too: the one that migrates
 * the database of the SDK. An application may have others, for other databases.
 */
final class FlywayConnections {

	private static final Logger logger = LoggerFactory.getLogger(FlywayConnections.class);

	private final DataSource application;

	private final Duration statementTimeout;

	/**
	 * Asks nothing yet.
	 * @param application the connections of the SDK
	 */
	FlywayConnections(DataSource application, Duration statementTimeout) {
		this.application = BoundedDataSource.of(application, statementTimeout);
		this.statementTimeout = statementTimeout;
	}

	/**
	 * The connections of the Flyway that migrates the database of the SDK. Of several the
	 * primary one. Null if there is none, or which one is not clear: then the SDK uses
	 * its own connections.
	 * @param flyways by the names of their beans
	 * @throws DatabaseUnavailableException if the database of the only or the primary one
	 * does not answer. Another one that does not answer counts as one of another database
	 */
	@Nullable MigrationDataSource choose(Map<String, Flyway> flyways, @Nullable Flyway primary) {
		if (!flyways.isEmpty()) {
			DatabaseUnavailableException.throwIfAway("The DataSource of the application", this.application);
		}
		Map<String, DataSource> same = new LinkedHashMap<>();
		Map<String, String> others = new LinkedHashMap<>();
		flyways.forEach((name, flyway) -> {
			DataSource dataSource = flyway.getConfiguration().getDataSource();
			String other = (dataSource != null) ? other(name, dataSource, flyways.size() == 1 || flyway == primary)
					: null;
			if (other != null) {
				others.put(name, other);
			}
			else if (dataSource != null && !same.containsValue(dataSource)) {
				same.put(name, dataSource);
			}
		});
		DataSource first = (primary != null) ? primary.getConfiguration().getDataSource() : null;
		if (first != null && same.containsValue(first)) {
			return new MigrationDataSource(first);
		}
		if (same.size() == 1) {
			return new MigrationDataSource(same.values().iterator().next());
		}
		tell(same, others, primary != null);
		return null;
	}

	/**
	 * The name of the database that these connections reach, if it is not that of the
	 * SDK; null if it is.
	 * @param name of the bean
	 * @param required whether it must answer
	 */
	private @Nullable String other(String name, DataSource dataSource, boolean required) {
		DataSource asked = BoundedDataSource.of(dataSource, this.statementTimeout);
		try {
			DatabaseUnavailableException.throwIfAway("Flyway '" + name + "'", asked);
		}
		catch (DatabaseUnavailableException ex) {
			if (required) {
				throw ex;
			}
			logger.warn("Flyway '{}' counts as one of another database than that of the SDK, because its connections do"
					+ " not answer: {}. Consider @Primary at it, or a bean of type MigrationDataSource, if it migrates the"
					+ " database of the SDK.", name, DatabaseFailure.describe(ex));
			return "one that does not answer";
		}
		return SameDatabase.of(this.application, asked) ? null : SameDatabase.name(asked);
	}

	private void tell(Map<String, DataSource> same, Map<String, String> others, boolean primaryElsewhere) {
		if (!same.isEmpty()) {
			logger.warn(
					"The Flyways {} all migrate the database of the SDK, and none of them is primary, so the DataSource"
							+ " of the application creates the SDK's tables. Consider {}a bean of type"
							+ " MigrationDataSource.",
					same.keySet(), primaryElsewhere ? "" : "@Primary at one, or ");
		}
		else if (!others.isEmpty()) {
			logger.info(
					"The Flyways of the application migrate other databases ({}) than that of the SDK ({}), so its DataSource"
							+ " creates the SDK's tables.",
					others, SameDatabase.name(this.application));
		}
	}

}
