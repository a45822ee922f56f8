package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/** A projector that leaves its writes to the SDK, as a test says. */
class Deferring {

	static final String PROJECTOR = "deferring";

	/** The written rows, in their order. */
	static final String TABLE = "create table applied (seq bigserial, account text, version bigint)";

	@Autowired
	JdbcTemplate jdbc;

	private final Writing writing;

	Deferring(Writing writing) {
		this.writing = writing;
	}

	/** A handler's work with an event. */
	interface Writing {

		void write(Deposited event, String tenantId, ReadModelWriter writer) throws Exception;

	}

	@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 50,
			concurrency = 1)
	public void on(Deposited event, UUID eventId, String tenantId, ReadModelWriter writer) throws Exception {
		this.writing.write(event, tenantId, writer);
	}

	/** Adds the event to the account, unless it is not the next, and notes it. */
	static void apply(Deposited event, String tenantId, ReadModelWriter writer) {
		writer.update("insert into applied (account, version) values (?, ?)", event.account(), event.version());
		writer.update("""
				insert into account as a (tenant_id, account, version, total) values (?, ?, ?, ?)
				on conflict (tenant_id, account) do update
				   set version = excluded.version, total = a.total + excluded.total
				 where a.version = excluded.version - 1""", tenantId, event.account(), event.version(), event.amount());
	}

}
