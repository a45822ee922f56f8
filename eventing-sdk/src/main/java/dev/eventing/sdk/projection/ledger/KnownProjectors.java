package dev.eventing.sdk.projection.ledger;

import java.util.List;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The projectors that ever ran on this database. Thread-safe. */
final class KnownProjectors {

	private final JdbcClient jdbc;

	private final String overview;

	/** Sends no query yet. */
	KnownProjectors(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.overview = schema.table("projector_overview");
	}

	/**
	 * A typing error would otherwise be a request that no node ever takes.
	 * @throws UnknownNameException if no projector of that name ever ran
	 */
	void require(String name) {
		boolean known = !this.jdbc.sql("select name from %s where name = ? limit 1".formatted(this.overview))
			.param(name)
			.query(String.class)
			.list()
			.isEmpty();
		if (!known) {
			List<String> all = this.jdbc.sql("select distinct name from %s order by name".formatted(this.overview))
				.query(String.class)
				.list();
			throw UnknownNameException.ofProjector(name, all);
		}
	}

}
