package dev.eventing.sdk.guarantees;

import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

/** A role that row level security binds, as which applications of a test work. */
final class LimitedRole implements AutoCloseable {

	private final String name = "app_" + UUID.randomUUID().toString().substring(0, 8);

	private final JdbcTemplate jdbc;

	/** With all rights to the tables of the world, and none beyond them. */
	LimitedRole(World world) {
		this.jdbc = world.jdbc();
		this.jdbc.execute("create role " + this.name);
		for (String schema : new String[] { "eventing", "public" }) {
			this.jdbc.execute("grant usage on schema " + schema + " to " + this.name);
			this.jdbc.execute("grant all on all tables in schema " + schema + " to " + this.name);
			this.jdbc.execute("grant all on all sequences in schema " + schema + " to " + this.name);
		}
	}

	String name() {
		return this.name;
	}

	/** Has the application work as this role. */
	WorldApplication of(WorldApplication application) {
		return application.inItsOwnProcess()
			.customize(WorldApplication.pool((pool) -> pool.setConnectionInitSql("set role " + this.name)));
	}

	@Override
	public void close() {
		this.jdbc.execute("drop owned by " + this.name);
		this.jdbc.execute("drop role " + this.name);
	}

}
