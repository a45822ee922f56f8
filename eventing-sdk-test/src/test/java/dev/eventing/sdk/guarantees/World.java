package dev.eventing.sdk.guarantees;

import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.forward.ForwardingWorker;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.MigratedDatabase;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A database, a stream and subjects of one test's own, and applications that run on them.
 * The read model is one row per account whose version says which event it has seen: an
 * event applied twice, left out, or out of order shows in {@code violations}. A test
 * class has one in a field that JUnit closes:
 * {@code @AutoClose World world = World.create()}. With servers of the test, a
 * {@code Fixture} closes the world before them.
 */
public final class World implements AutoCloseable {

	static final TenantId ACME = TenantId.of("acme");

	/** For a test's own waits, whose end proves nothing. */
	static final Duration PATIENT = Duration.ofSeconds(30);

	private final String natsUrl;

	private final String jdbcUrl;

	private final String root;

	private final HikariDataSource dataSource;

	private final JdbcTemplate jdbc;

	private final JetStreamApi jetStream;

	private final ProjectorDurables durables;

	private final DeadLetterStream deadLetterStream;

	private final AnnotationConfigApplicationContext publishing;

	private final List<AnnotationConfigApplicationContext> started = new CopyOnWriteArrayList<>();

	private boolean isDropped;

	private World(String natsUrl, String jdbcUrl, String root, SchemaMode tables) {
		this.natsUrl = natsUrl;
		this.jdbcUrl = jdbcUrl;
		this.root = root;
		this.jetStream = new JetStreamApi(natsUrl);
		this.durables = new ProjectorDurables(this.jetStream, root);
		this.deadLetterStream = new DeadLetterStream(this.jetStream, root);
		this.dataSource = dataSource(jdbcUrl);
		this.jdbc = new JdbcTemplate(this.dataSource);
		AccountRows.createTables(this.jdbc);
		this.publishing = start(WorldApplication.of().connectionTimeout(PATIENT).schema(tables));
		this.publishing.getBean(Streams.class).declareAll();
	}

	/** On the servers all tests share; its database is dropped with it. */
	static World create() {
		return on(TestServers.nats());
	}

	/** On a NATS server that the test may kill; its database is dropped with it. */
	static World on(NatsServer nats) {
		return on(nats, anyRoot());
	}

	/** With subjects that begin with this token, as a server's permissions name it. */
	static World on(NatsServer nats, String root) {
		World world = new World(nats.url(), MigratedDatabase.create(), root, SchemaMode.VALIDATE);
		world.isDropped = true;
		return world;
	}

	/** With a database server that the test may kill. */
	static World on(NatsServer nats, PostgresServer postgres) {
		return new World(nats.url(), postgres.createDatabase(), anyRoot(), SchemaMode.MIGRATE);
	}

	private static String anyRoot() {
		return "t" + UUID.randomUUID().toString().substring(0, 8);
	}

	/** A test that reads, writes or clears up waits for a connection. */
	static HikariDataSource dataSource(String jdbcUrl) {
		return connecting(new HikariDataSource(), jdbcUrl, PATIENT);
	}

	/** Sets the pool up, which waits this long for a connection. */
	static <T extends HikariDataSource> T connecting(T pool, String jdbcUrl, Duration timeout) {
		pool.setJdbcUrl(jdbcUrl);
		pool.setUsername("postgres");
		pool.setMaximumPoolSize(8);
		pool.setMinimumIdle(1);
		pool.setConnectionTimeout(timeout.toMillis());
		pool.setInitializationFailTimeout(-1);
		return pool;
	}

	String natsUrl() {
		return this.natsUrl;
	}

	String jdbcUrl() {
		return this.jdbcUrl;
	}

	String root() {
		return this.root;
	}

	/** The stream has the name of the subjects' root. */
	String stream() {
		return this.root;
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	EventPublisher publisher() {
		return this.publishing.getBean(EventPublisher.class);
	}

	/** What operators do, from outside of the applications that run handlers. */
	DeadLetters operators() {
		return this.publishing.getBean(DeadLetters.class);
	}

	/** The stream that takes the dead letters of this world, once it is created. */
	DeadLetterStream deadLetterStream() {
		return this.deadLetterStream;
	}

	/** That of the application that only publishes. */
	ForwardingWorker forwarder() {
		return this.publishing.getBean(ForwardingWorker.class);
	}

	/** Newest first. */
	List<DeadLetter> deadLetters(String projector) {
		List<DeadLetter> letters = new ArrayList<>();
		operators().forEach(DeadLetterFilter.ALL.withProjector(projector), letters::add);
		letters.sort(Comparator.comparing(DeadLetter::deadAt)
			.thenComparing((letter) -> letter.place().sequence())
			.reversed());
		return letters;
	}

	/** Starts an application with these handlers on this world. */
	AnnotationConfigApplicationContext start(WorldApplication application) {
		AnnotationConfigApplicationContext context = application.start(this.natsUrl, this.jdbcUrl, this.root);
		this.started.add(context);
		return context;
	}

	/** Starts an application on a world that may be another process's. */
	static AnnotationConfigApplicationContext start(String natsUrl, String jdbcUrl, String root,
			WorldApplication application) {
		return application.start(natsUrl, jdbcUrl, root);
	}

	Event<Deposited> deposit(TenantId tenant, String account, long version) {
		return Event.builder(tenant, new Deposited(account, version, version))
			.streamId(account)
			.streamVersion(version)
			.build();
	}

	String subject() {
		return this.root + ".{tenant}.deposited";
	}

	Published publish(Event<?> event) {
		return publisher().publish(subject(), event);
	}

	/** Publishes the account's events of these versions. */
	void publish(TenantId tenant, String account, long from, long to) {
		for (long version = from; version <= to; version++) {
			publish(deposit(tenant, account, version));
		}
	}

	/** Appends the account's events of these versions to the event store, one by one. */
	AppendResult append(TenantId tenant, String account, long from, long to) {
		AppendResult last = append(tenant, account, from);
		for (long version = from + 1; version <= to; version++) {
			last = append(tenant, account, version);
		}
		return last;
	}

	private AppendResult append(TenantId tenant, String account, long version) {
		return inTransaction((store) -> store.append(tenant, storedStream(account), ExpectedVersion.exact(version - 1),
				NewEvent.of(new Deposited(account, version, version))));
	}

	/** The stream of an account in the event store; its subject is {@link #subject}. */
	String storedStream(String account) {
		return this.root + "-" + account;
	}

	/**
	 * Runs something while a transaction is open that has made this statement; it is no
	 * transaction of the thread's.
	 */
	void whileHolding(String statement, Runnable action) {
		this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> {
			connection.setAutoCommit(false);
			try (Statement holding = connection.createStatement()) {
				holding.execute(statement);
				action.run();
			}
			finally {
				connection.rollback();
				connection.setAutoCommit(true);
			}
			return true;
		});
	}

	/** Has another node take a lease from its owner, and give it back at once. */
	void takeLease(String lease) {
		try (Leases other = new Leases(this.dataSource, EventingSchema.defaults(),
				LeaseOptions.of(Duration.ofSeconds(1)))) {
			await().until(() -> {
				this.jdbc.update("update eventing.leases set expires_at = '-infinity' where lease_name = ?", lease);
				return other.tryAcquire(lease) != null;
			});
		}
	}

	<T> T inTransaction(Function<EventStore, T> work) {
		EventStore store = this.publishing.getBean(EventStore.class);
		return Objects.requireNonNull(new TransactionTemplate(this.publishing.getBean(PlatformTransactionManager.class))
			.execute((status) -> work.apply(store)));
	}

	/**
	 * Ends the connection of this thread's transaction as an administrator may; throws.
	 */
	static void endConnection(JdbcTemplate jdbc) {
		jdbc.execute("select pg_terminate_backend(pg_backend_pid())");
	}

	/**
	 * Ends the connection of the transaction this thread is {@link #inTransaction in}.
	 */
	void endConnection() {
		endConnection(this.publishing.getBean(JdbcTemplate.class));
	}

	Event<?> stored(long position) {
		return this.publishing.getBean(EventLog.class).find(position).orElseThrow().event();
	}

	/** Up to where a projector that reads the event store has settled everything. */
	long checkpoint(String projector) {
		return this.jdbc
			.queryForList("select position from eventing.projector_checkpoints where projector_name = ?", Long.class,
					projector)
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/**
	 * As a process leaves it that died: up to the second position handlers may have begun
	 * events.
	 */
	void begun(String projector, long position, long handedOut) {
		this.jdbc.update("insert into eventing.projector_checkpoints (projector_name, position) values (?, ?)",
				projector, position);
		this.jdbc.update("""
				insert into eventing.projector_handouts (projector_name, handed_out, clean_stop) values (?, ?, false)
				""", projector, handedOut);
	}

	/** The version the read model has seen of an account, 0 for none. */
	long version(TenantId tenant, String account) {
		return AccountRows.version(this.jdbc, tenant, account);
	}

	long count(String sql) {
		Long count = this.jdbc.queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	/**
	 * Adds an event to the read model, and records it as a violation if it is not the
	 * next of its account.
	 */
	static void apply(JdbcTemplate jdbc, Deposited event, String tenant) {
		AccountRows.apply(jdbc, event, tenant);
	}

	/** Of every session of the database that begins from now on. */
	void setDefault(String name, String value) {
		this.jdbc.execute("""
				do $$ begin
				  execute format('alter database %%I set %s = %%L', current_database(), '%s');
				end $$""".formatted(name, value));
	}

	/** Whether the server can pause durables. */
	boolean pausesDurables() {
		return isServerOf("2.11.0");
	}

	/** Whether the server has this version or a newer one. */
	boolean isServerOf(String version) {
		return this.jetStream.isServerOf(version);
	}

	/** Runs something against the JetStream API. */
	<T> T jetStream(JetStreamApi.Call<T> call) {
		return this.jetStream.call(call);
	}

	/** How many deliveries of the projector's durable are not settled. */
	long unsettled(String projector) {
		return this.durables.unsettled(projector);
	}

	/** The names of the consumers of the stream. */
	List<String> consumers() {
		return this.durables.names();
	}

	/**
	 * Whether the projector's durable has delivered all events, and all are settled. Not
	 * while there is no durable.
	 */
	boolean hasSettledAll(String projector) {
		return this.durables.hasSettledAll(projector);
	}

	/**
	 * How many deliveries the projector's durable has made, those made again included.
	 */
	long deliveries(String projector) {
		return this.durables.deliveries(projector);
	}

	static ProjectorStatus status(AnnotationConfigApplicationContext application, String projector) {
		return application.getBean(ProjectorRegistry.class).status(projector);
	}

	/**
	 * Stops the accounts' projector, which saves its place then as it does by itself
	 * every five seconds, and starts it again.
	 */
	static void savePlace(AnnotationConfigApplicationContext application) {
		ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
		projectors.stop(Accounts.PROJECTOR);
		projectors.start(Accounts.PROJECTOR);
	}

	/** An applied event never waits as an open letter. */
	private void assertThatNoAppliedEventIsAnOpenLetter() {
		assertThat(this.jdbc.queryForList("""
				select d.* from eventing.dead_letters d
				  join eventing.processed_events p using (projector_name, tenant_id, event_id)
				 where d.status in ('PARKED', 'REDRIVING')""")).as("open letters of applied events").isEmpty();
	}

	@Override
	public void close() {
		try {
			assertThatNoAppliedEventIsAnOpenLetter();
		}
		finally {
			end();
		}
	}

	private void end() {
		// one that continues without its database costs time, and logs into other tests
		this.started.forEach(AnnotationConfigApplicationContext::close);
		this.dataSource.close();
		jetStream((management) -> management.deleteStream(stream()));
		this.deadLetterStream.delete();
		if (this.isDropped) {
			TestServers.postgres().dropDatabase(this.jdbcUrl);
		}
	}

}
