package dev.eventing.sdk.config;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.schema.EventingSchema;

/**
 * What operators do, for a program that has the database alone: no application context
 * with the SDK, and no NATS. Applications have the same as beans. Nodes that run do what
 * is requested. Each is thread-safe, and takes a connection for each call.
 *
 * @param deadLetters dead letters of all tenants
 * @param projectors pauses, and what projectors are behind
 * @param projections read models and their generations
 */
public record DatabaseOperations(DeadLetters deadLetters, Projectors projectors, Projections projections) {

	/**
	 * Sends no query yet.
	 * @param dataSource its role needs the rights of an operator
	 * @param schema where the SDK's tables are
	 */
	public static DatabaseOperations of(DataSource dataSource, EventingSchema schema) {
		return new DatabaseOperations(new JdbcDeadLetters(dataSource, schema, EventJson.mapper()),
				new JdbcProjectors(dataSource, schema), new JdbcProjections(dataSource, schema));
	}

}
