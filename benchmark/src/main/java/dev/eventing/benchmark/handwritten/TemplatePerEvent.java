package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.util.List;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One statement and one round trip for each event, by {@link JdbcTemplate} on a
 * connection that is bound to the thread as a transaction manager binds it. Shows what of
 * a plain handler's time is the template's.
 */
final class TemplatePerEvent implements Effects {

	/** Never asked for a connection: the thread has one. */
	private final DriverManagerDataSource dataSource = new DriverManagerDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	TemplatePerEvent(Connection connection) {
		ConnectionHolder holder = new ConnectionHolder(connection);
		holder.setSynchronizedWithTransaction(true);
		TransactionSynchronizationManager.bindResource(this.dataSource, holder);
	}

	@Override
	public void apply(List<Incoming> fresh) {
		for (Incoming event : fresh) {
			AccountChanged change = event.payload();
			this.jdbc.update(ReadModel.UPDATE, change.amount(), change.change(), change.account());
		}
	}

	@Override
	public void close() {
		TransactionSynchronizationManager.unbindResource(this.dataSource);
	}

}
