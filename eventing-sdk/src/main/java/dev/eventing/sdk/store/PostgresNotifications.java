package dev.eventing.sdk.store;

import dev.eventing.sdk.schema.EventingSchema;

final class PostgresNotifications {

	private PostgresNotifications() {
	}

	static String channel(EventingSchema schema) {
		return schema.name();
	}

}
