package dev.eventing.sdk.store;

import java.time.Clock;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.MigratedDatabase;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.TestServers;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An event store in a database of one test's own. */
final class StoreWorld implements AutoCloseable {

	static final TenantId ACME = TenantId.of("acme");

	static final TenantId GLOBEX = TenantId.of("globex");

	static final EventingSchema SCHEMA = EventingSchema.defaults();

	private final String url;

	private boolean isDropped;

	private final HikariDataSource dataSource;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final AppendSignal signal = new AppendSignal();

	private final EventStore store;

	private StoreWorld(String url, StoreOptions options) {
		this.url = url;
		this.dataSource = new HikariDataSource();
		this.dataSource.setJdbcUrl(url);
		this.dataSource.setMaximumPoolSize(20);
		this.dataSource.setMinimumIdle(1);
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.store = store(options);
	}

	private EventStore store(StoreOptions options) {
		return new EventStore(this.dataSource, SCHEMA, EventJson.mapper(), this.signal, options, Clock.systemUTC());
	}

	static StoreWorld create() {
		return create(StoreOptions.defaults());
	}

	static StoreWorld create(StoreOptions options) {
		StoreWorld world = new StoreWorld(MigratedDatabase.create(), options);
		world.isDropped = true;
		return world;
	}

	/** In a database that tests share one after the other; finds it empty. */
	static StoreWorld shared() {
		StoreWorld world = new StoreWorld(Shared.URL, StoreOptions.defaults());
		world.jdbc.execute("truncate eventing.events, eventing.streams, eventing.snapshots restart identity");
		return world;
	}

	/** In a database of a server of the test's own. */
	static StoreWorld on(String url, StoreOptions options) {
		new SchemaInitializer(new DriverManagerDataSource(url), SCHEMA, SchemaMode.MIGRATE).initialize();
		return new StoreWorld(url, options);
	}

	static StoreWorld on(String url) {
		return on(url, StoreOptions.defaults());
	}

	String url() {
		return this.url;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	TransactionTemplate transaction() {
		return this.transaction;
	}

	AppendSignal signal() {
		return this.signal;
	}

	EventStore store() {
		return this.store;
	}

	/** As another node has it. */
	EventStore anotherStore() {
		return store(StoreOptions.defaults());
	}

	EventLog log() {
		return new EventLog(this.dataSource, SCHEMA, EventJson.mapper());
	}

	<T> T inTransaction(Supplier<T> work) {
		return Objects.requireNonNull(this.transaction.execute((status) -> work.get()));
	}

	/** Appends in its own transaction. */
	AppendResult append(TenantId tenant, String streamId, ExpectedVersion expected, NewEvent... events) {
		return inTransaction(() -> this.store.append(tenant, streamId, expected, events));
	}

	long count(String sql) {
		return Objects.requireNonNull(this.jdbc.queryForObject(sql, Long.class));
	}

	@Override
	public void close() {
		this.dataSource.close();
		if (this.isDropped) {
			TestServers.postgres().dropDatabase(this.url);
		}
	}

	private static final class Shared {

		private static final String URL = MigratedDatabase.create();

	}

}
