package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/** Applies deposits of the event store to tables that have generations. */
@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
class StoredAccounts {

	@Autowired
	private JdbcTemplate jdbc;

	@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
	public void on(Deposited event, UUID eventId, String tenantId) {
		World.apply(this.jdbc, event, tenantId);
	}

}
