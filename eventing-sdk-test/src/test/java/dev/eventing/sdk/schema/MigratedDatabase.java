package dev.eventing.sdk.schema;

import dev.eventing.sdk.test.server.TestServers;

/**
 * Databases with the SDK's tables on the server all tests share. They are copies of one,
 * because a copy costs a small part of a migration.
 */
public final class MigratedDatabase {

	private static final String TEMPLATE = TestServers.postgres().createDatabase();

	static {
		new SchemaInitializer(TestServers.postgres().dataSource(TEMPLATE), EventingSchema.defaults(),
				SchemaMode.MIGRATE)
			.initialize();
	}

	private MigratedDatabase() {
	}

	/** Creates a database, and returns its URL. */
	public static String create() {
		return TestServers.postgres().createDatabase(TEMPLATE);
	}

}
