package dev.eventing.soak.node;

import java.util.concurrent.ThreadLocalRandom;

import dev.eventing.sdk.projector.ReadModelWriter;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What projectors write: a row per event. Rows are numbered in the order they were
 * written, and nothing keeps a row from being there twice, so that the table shows what
 * was done.
 */
final class ReadModel {

	static final String TABLES = """
			create table applied (
			  seq bigserial primary key, projector text not null, account text not null, version bigint not null);
			create index applied_account on applied (projector, account, version);
			create table rebuilt (seq bigserial primary key, account text not null, version bigint not null);
			create index rebuilt_account on rebuilt (account, version);
			create table mended (at timestamptz not null default now())""";

	private static final String INSERT = "insert into applied (projector, account, version) values (?, ?, ?)";

	private final JdbcTemplate jdbc;

	private final Mischief mischief;

	ReadModel(JdbcTemplate jdbc, Mischief mischief) {
		this.jdbc = jdbc;
		this.mischief = mischief;
	}

	void apply(String projector, Moved event) {
		before(event);
		this.jdbc.update(INSERT, projector, event.account(), event.version());
		this.mischief.afterHandler();
	}

	void apply(String projector, Moved event, ReadModelWriter writer) {
		before(event);
		writer.update(INSERT, projector, event.account(), event.version());
		this.mischief.afterHandler();
	}

	/**
	 * Into the table that is rebuilt. Events fail by mischief alone: with those that
	 * always fail no generation would be like the live one.
	 */
	void applyRebuilt(Moved event) {
		this.mischief.inHandler();
		this.jdbc.update("insert into " + Projected.REBUILT + " (account, version) values (?, ?)", event.account(),
				event.version());
		this.mischief.afterHandler();
	}

	private void before(Moved event) {
		this.mischief.inHandler();
		boolean fails = switch (event.mood()) {
			case PLAIN -> false;
			case FLAKY -> ThreadLocalRandom.current().nextBoolean() && !isMended();
			case POISON -> !isMended();
		};
		if (fails) {
			throw new IllegalArgumentException("a " + event.mood() + " event");
		}
	}

	private boolean isMended() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject("select exists (select from mended)", Boolean.class));
	}

}
