package dev.eventing.benchmark.sdk;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;

import org.springframework.jdbc.core.JdbcTemplate;

/** The same as {@link PlainHandler}, in the transaction that appends. */
class InlineHandler {

	private final JdbcTemplate jdbc;

	InlineHandler(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}", source = Source.INLINE)
	void on(AccountChanged event, UUID eventId, String tenantId) {
		this.jdbc.update(ReadModel.UPDATE, event.amount(), event.change(), event.account());
	}

}
