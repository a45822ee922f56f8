package dev.eventing.benchmark.peers.debezium;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.eventing.benchmark.contender.OutboxEvent;

import javax.sql.DataSource;

/** The table an application writes its events to, as the outbox event router reads it. */
final class OutboxTable {

	private static final int PER_STATEMENT = 1000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	OutboxTable(DataSource database) {
		this.jdbc = new JdbcTemplate(database);
		this.transactions = new TransactionTemplate(new DataSourceTransactionManager(database));
	}

	/**
	 * The columns are those the router looks for when nothing is configured. With the
	 * publication and the slot there before the first event, the connector needs no
	 * snapshot.
	 */
	void create(String name) {
		this.jdbc.execute("""
				create table outbox (
				  id            uuid         not null primary key,
				  aggregatetype varchar(255) not null,
				  aggregateid   varchar(255) not null,
				  type          varchar(255) not null,
				  payload       jsonb        not null
				)""");
		this.jdbc.execute("create publication \"%s\" for table outbox".formatted(name));
		this.jdbc.execute("select pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(name));
	}

	void insert(List<OutboxEvent> events) {
		this.transactions.executeWithoutResult((transaction) -> this.jdbc.batchUpdate("""
				insert into outbox (id, aggregatetype, aggregateid, type, payload)
				values (?, 'account', ?, 'changed', ?::jsonb)""", events, PER_STATEMENT, (row, event) -> {
			row.setObject(1, event.id());
			row.setString(2, event.streamId());
			row.setString(3, event.json());
		}));
	}

	boolean isRead(String slot) {
		return Boolean.TRUE.equals(this.jdbc
			.queryForObject("select active from pg_replication_slots where slot_name = ?", Boolean.class, slot));
	}

	/** A slot left alone would have the server keep all its log from now on. */
	void dropSlotAndPublication(String name) {
		this.jdbc.queryForList("select pg_drop_replication_slot(?)", name);
		this.jdbc.execute("drop publication \"%s\"".formatted(name));
	}

}
