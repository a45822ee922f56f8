package dev.eventing.benchmark.peers.axon;

import org.axonframework.eventhandling.EventHandler;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.peers.Progress;

/**
 * The read model. It needs no table of processed events: the token is stored in the
 * transaction of the batch.
 */
final class AccountsProjection {

	private final JdbcTemplate jdbc;

	private final Progress progress;

	AccountsProjection(JdbcTemplate jdbc, Progress progress) {
		this.jdbc = jdbc;
		this.progress = progress;
	}

	@EventHandler
	void on(AccountChanged event) {
		this.jdbc.update(ReadModel.UPDATE, event.amount(), event.change(), event.account());
		this.progress.handled();
	}

}
