package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.jdbc.core.JdbcTemplate;

/** What most applications write: its own statement for each event. */
class PlainHandler {

	private final JdbcTemplate jdbc;

	PlainHandler(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}")
	void on(AccountChanged event, UUID eventId, String tenantId) {
		this.jdbc.update(ReadModel.UPDATE, event.amount(), event.change(), event.account());
	}

}
