package dev.eventing.benchmark.sdk;

import java.util.List;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.SetBasedUpdate;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;

import org.springframework.jdbc.core.JdbcTemplate;

/** Takes many events in one call, and writes what they do in one statement. */
class BatchHandler {

	private final JdbcTemplate jdbc;

	BatchHandler(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "${subject}", projectorName = "${projector}")
	void on(List<Event<AccountChanged>> events) {
		apply(this.jdbc, SetBasedUpdate.SQL, events);
	}

	/** Sends this statement, which takes the arrays of {@link SetBasedUpdate}. */
	static void apply(JdbcTemplate jdbc, String sql, List<Event<AccountChanged>> events) {
		String[] accounts = new String[events.size()];
		Long[] amounts = new Long[events.size()];
		Long[] changes = new Long[events.size()];
		for (int i = 0; i < accounts.length; i++) {
			AccountChanged change = events.get(i).payload();
			accounts[i] = change.account();
			amounts[i] = change.amount();
			changes[i] = change.change();
		}
		jdbc.update(sql, (update) -> {
			update.setArray(1, update.getConnection().createArrayOf("text", accounts));
			update.setArray(2, update.getConnection().createArrayOf("bigint", amounts));
			update.setArray(3, update.getConnection().createArrayOf("bigint", changes));
		});
	}

}
