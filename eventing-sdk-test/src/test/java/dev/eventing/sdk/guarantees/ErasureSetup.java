package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.erasure.ErasureRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** People, one stream each, whose names are in the read model of a projector. */
abstract class ErasureSetup {

	static final String PEOPLE = "people";

	static final TenantId GLOBEX = TenantId.of("globex");

	/** The value that must not be found after the contents of a stream were erased. */
	final String secret = "secret" + UUID.randomUUID().toString().replace("-", "");

	@AutoClose
	final World world = World.create();

	final Projections projections = new JdbcProjections(this.world.jdbc().getDataSource(), EventingSchema.defaults());

	final Erasure erasure = new Erasure(this.world.jdbc().getDataSource(), EventingSchema.defaults());

	/** A fold of whole events, which knows of no tombstones. */
	final Fold<Names> names = Fold.of(Names.class, new Names(List.of()), this::named).withSnapshotEvery(2);

	private Names named(Names names, Event<UnboundPayload> event) {
		return names.and(event.payload().<Named>bind(Named.class).name());
	}

	@BeforeEach
	void createReadModel() {
		this.world.jdbc().execute("""
				create table person (
				  tenant_id text not null, stream text not null, names text not null,
				  primary key (tenant_id, stream))""");
	}

	AnnotationConfigApplicationContext start(Object people) {
		return this.world.start(WorldApplication.of(people).lease(Duration.ofSeconds(2)));
	}

	AnnotationConfigApplicationContext startWithRelay(Object... people) {
		return this.world.start(application(this.world.root() + ".{tenant}.deposited", people));
	}

	static WorldApplication application(String subjects, Object... people) {
		return WorldApplication.of(people)
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(RelayOptions.class,
					() -> RelayOptions.named(PEOPLE).withSubjects(subjects)));
	}

	void append(TenantId tenant, String person, String... names) {
		this.world.inTransaction((store) -> {
			for (String name : names) {
				store.append(tenant, stream(person), ExpectedVersion.any(), NewEvent.of(new Named(person, name)));
			}
			return true;
		});
	}

	String stream(String person) {
		return this.world.storedStream(person);
	}

	ErasureRequest request(String person) {
		return new ErasureRequest(World.ACME, stream(person), "anna", "request 4711");
	}

	ErasureReport erase(String person) {
		return this.erasure.erase(request(person));
	}

	void awaitDeclared() {
		await().until(() -> this.world.count("select count(*) from eventing.projection_ownership") == 1);
	}

	/** The relay has written down that it is past this position. */
	void awaitRelayed(long position) {
		await().until(
				() -> this.world.count("select coalesce(max(position), 0) from eventing.relay_positions") >= position);
	}

	static long count(ErasureReport report, String what) {
		return report.erased()
			.stream()
			.filter((each) -> each.what().startsWith(what))
			.mapToLong(ErasureReport.Erased::count)
			.sum();
	}

	void awaitNames(TenantId tenant, String person, String names) {
		await().until(() -> names.equals(names("public", tenant, person)));
	}

	/** Null if the person has no row. */
	String names(String schema, TenantId tenant, String person) {
		return this.world.jdbc()
			.queryForList("select names from " + schema + ".person where tenant_id = ? and stream = ?", String.class,
					tenant.value(), person)
			.stream()
			.findFirst()
			.orElse("");
	}

	/** In how many rows of which tables a text is, also as bytes. */
	Map<String, Long> found(String text) {
		String bytes = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
		Map<String, Long> found = new TreeMap<>();
		tables().forEach((table) -> {
			long rows = this.world.count("select count(*) from " + table + " t where strpos(t::text, '" + text
					+ "') > 0 or strpos(t::text, '" + bytes + "') > 0");
			if (rows > 0) {
				found.put(table, rows);
			}
		});
		return found;
	}

	/** A digest of all rows of each table, but of what nodes say every few seconds. */
	Map<String, String> contents() {
		Map<String, String> contents = new TreeMap<>();
		tables().stream()
			.filter((table) -> !table.matches("eventing\\.(leases|lease_epochs|projector_nodes)"))
			.forEach((table) -> contents.put(table, this.world.jdbc()
				.queryForObject(
						"select coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') from " + table + " t",
						String.class)));
		return contents;
	}

	private List<String> tables() {
		return this.world.jdbc()
			.queryForList(
					"""
							select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
							 where c.relkind in ('r', 'p', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'""",
					String.class);
	}

	/** The messages of the stream that have a text, of those that are not purged. */
	long messagesWith(String text) {
		return this.world.jetStream((management) -> {
			var state = management.getStreamInfo(this.world.stream()).getStreamState();
			long found = 0;
			for (long sequence = Math.max(1, state.getFirstSequence()); sequence <= state
				.getLastSequence(); sequence++) {
				byte[] data = management.getMessage(this.world.stream(), sequence).getData();
				found += (data != null && new String(data, StandardCharsets.UTF_8).contains(text)) ? 1 : 0;
			}
			return found;
		});
	}

	void assertThatNothingIsFound() {
		assertThat(found(this.secret)).isEmpty();
	}

	/**
	 * An event about a person.
	 *
	 * @param person whose
	 * @param name what is to be erased
	 */
	record Named(String person, String name) {
	}

	/**
	 * The state of a stream.
	 *
	 * @param all all names of the person
	 */
	record Names(List<String> all) {

		Names and(String name) {
			List<String> more = new ArrayList<>(this.all);
			more.add(name);
			return new Names(List.copyOf(more));
		}

	}

	/** What tests let handlers do before they write. */
	abstract static class People {

		@Autowired
		JdbcTemplate jdbc;

		volatile String waitsFor = "";

		volatile String refuses = "none";

		volatile Function<String, RuntimeException> refusal = (name) -> new IllegalArgumentException(
				"It refuses " + name);

		/** Before it writes, so that it holds no lock of the read model. */
		volatile boolean waitsFirst;

		/** After it has waited. */
		volatile boolean fails;

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch goesOn = new CountDownLatch(1);

		void apply(Named event, String tenantId) throws InterruptedException {
			if (event.name().equals(this.refuses)) {
				throw this.refusal.apply(event.name());
			}
			if (this.waitsFirst && event.name().equals(this.waitsFor)) {
				this.begun.countDown();
				this.goesOn.await();
			}
			this.jdbc.update("""
					insert into person as p (tenant_id, stream, names) values (?, ?, ?)
					on conflict (tenant_id, stream) do update set names = p.names || ' ' || excluded.names""", tenantId,
					event.person(), event.name());
			if (event.name().equals(this.waitsFor)) {
				this.begun.countDown();
				this.goesOn.await();
				if (this.fails) {
					throw new IllegalArgumentException("It fails with " + event.name());
				}
			}
		}

	}

	@Projector(value = PEOPLE, tables = "person",
			rows = @ReadModelRows(streamColumn = "stream", streamPrefix = "${root}-"))
	static class Stored extends People {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				noRetryFor = IllegalArgumentException.class)
		public void on(Named event, UUID eventId, String tenantId) throws InterruptedException {
			apply(event, tenantId);
		}

	}

	@Projector(value = PEOPLE, tables = "person",
			rows = @ReadModelRows(streamColumn = "stream", streamPrefix = "${root}-"))
	static class Streamed extends People {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", noRetryFor = IllegalArgumentException.class)
		public void on(Named event, UUID eventId, String tenantId) throws InterruptedException {
			apply(event, tenantId);
		}

	}

	@Projector(value = PEOPLE, tables = "person",
			rows = @ReadModelRows(streamColumn = "stream", streamPrefix = "${root}-"))
	static class Inline extends People {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE,
				noRetryFor = IllegalArgumentException.class)
		public void on(Named event, UUID eventId, String tenantId) throws InterruptedException {
			apply(event, tenantId);
		}

	}

	@Projector(value = PEOPLE, tables = "person")
	static class Undeclared extends People {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Named event, UUID eventId, String tenantId) throws InterruptedException {
			apply(event, tenantId);
		}

	}

}
