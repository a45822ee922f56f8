package dev.eventing.benchmark.peers.axon;

import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.ResetHandler;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.peers.Progress;

/** The read model that is rebuilt: empty after a reset. */
final class RebuiltAccounts {

	private final JdbcTemplate jdbc;

	private final Progress progress;

	RebuiltAccounts(JdbcTemplate jdbc, Progress progress) {
		this.jdbc = jdbc;
		this.progress = progress;
	}

	@ResetHandler
	void reset() {
		this.jdbc.execute("truncate account");
	}

	@EventHandler
	void on(AccountChanged event) {
		this.jdbc.update(ReadModel.UPSERT, event.account(), event.amount(), event.change());
		this.progress.handled();
	}

}
