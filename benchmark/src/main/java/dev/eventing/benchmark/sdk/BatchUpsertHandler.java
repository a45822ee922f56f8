package dev.eventing.benchmark.sdk;

import java.util.List;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.SetBasedUpdate;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;

import org.springframework.jdbc.core.JdbcTemplate;

/** The same as {@link BatchHandler}, of rows that may not be there yet. */
class BatchUpsertHandler {

	private final JdbcTemplate jdbc;

	BatchUpsertHandler(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}")
	void on(List<Event<AccountChanged>> events) {
		BatchHandler.apply(this.jdbc, SetBasedUpdate.UPSERT, events);
	}

}
