package dev.eventing.sdk.config;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

class EventingDatabaseTests {

	private final DataSource pool = new DriverManagerDataSource();

	/** Else the SDK would not find the transactions of that manager. */
	@Test
	void hasTheConnectionsOfTheTransactionManagerWhereAProxyJoinsTransactions() {
		DataSource joining = new TransactionAwareDataSourceProxy(this.pool);
		assertThat(database(joining).dataSource()).isSameAs(this.pool)
			.isSameAs(new JdbcTransactionManager(joining).getDataSource());
	}

	@Test
	void keepsOtherProxies() {
		LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
		lazy.setTargetDataSource(this.pool);
		assertThat(database(lazy).dataSource()).isSameAs(lazy)
			.isSameAs(new JdbcTransactionManager(lazy).getDataSource());
	}

	private static EventingDatabase database(DataSource dataSource) {
		return new EventingDatabase(dataSource, EventingSchema.defaults(), JdbcOptions.defaults());
	}

}
