package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;

import org.springframework.jdbc.core.JdbcTemplate;

/** A plain handler of a read model that can be rebuilt. */
@Projector(value = "${projector}", tables = "account")
class UpsertHandler {

	private final JdbcTemplate jdbc;

	UpsertHandler(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "${subject}", source = Source.EVENT_STORE)
	void on(AccountChanged event, UUID eventId, String tenantId) {
		this.jdbc.update(ReadModel.UPSERT, event.account(), event.amount(), event.change());
	}

}
