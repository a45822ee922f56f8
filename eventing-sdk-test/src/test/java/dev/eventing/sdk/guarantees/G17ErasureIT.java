package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.ledger.JdbcInlineProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.Loaded;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Contents of a stream that are erased, wherever they are. */
class G17ErasureIT extends ErasureSetup {

	@Test
	void leavesNothingInTheDatabaseAndTheRestAsItWas() {
		this.world.deadLetterStream().create("dlq.event-store." + PEOPLE + ".>");
		Stored people = new Stored();
		people.refuses = "bad " + this.secret;
		try (AnnotationConfigApplicationContext application = start(people)) {
			fill();
			long last = this.world.count("select max(global_position) from eventing.events");
			await().until(() -> this.world.checkpoint(PEOPLE) >= last);
			await().until(() -> this.world.deadLetterStream().messages() == this.world.deadLetters(PEOPLE).size());
			awaitDeclared();
			assertThat(found(this.secret)).containsKeys("eventing.events", "eventing.snapshots", "person",
					"eventing.dead_letters");
		}
		long letters = this.world.deadLetters(PEOPLE).size();
		Map<String, String> before = contents();
		List<Map<String, Object>> others = others();
		ErasureReport planned = this.erasure.plan(request("a"));
		assertThat(contents()).as("after a dry run").isEqualTo(before);
		ErasureReport erased = erase("a");
		assertThat(erased.erased()).isEqualTo(planned.erased());
		assertThat(count(erased, "events")).isEqualTo(4);
		assertThat(count(erased, "snapshots")).isEqualTo(1);
		assertThat(count(erased, "dead letters")).isPositive().isEqualTo(letters);
		assertThat(erased.outside()).singleElement()
			.asString()
			.startsWith(
					"nats stream purge DLQ_STREAM --subject 'dlq.event-store.people.acme' # the dead-letter stream; it has "
							+ letters + " copies");
		assertThat(count(erased, "rows of table \"person\"")).isEqualTo(1);
		assertThat(erased.notErased()).isEmpty();
		assertThatNothingIsFound();
		assertThat(others()).isEqualTo(others);
		assertThat(erase("a").total()).as("again").isZero();
		assertThat(this.world.jdbc()
			.queryForList("select actor || reason || (erased ->> 'events') from eventing.erasures order by erasure_id",
					String.class))
			.containsExactly("annarequest 47114", "annarequest 47110");
	}

	private void fill() {
		append(World.ACME, "a", this.secret, "bad " + this.secret, this.secret + "2");
		append(World.ACME, "b", "bob", "bobby", "rob");
		append(GLOBEX, "a", "another", "person", "of this id");
		for (TenantId tenant : List.of(World.ACME, GLOBEX)) {
			for (String person : List.of("a", "b")) {
				snapshot(tenant, person);
			}
		}
		awaitNames(World.ACME, "b", "bob bobby rob last");
		awaitNames(GLOBEX, "a", "another person of this id last");
	}

	/** Appends on what it has loaded, which stores a snapshot. */
	private void snapshot(TenantId tenant, String person) {
		this.world.inTransaction((store) -> {
			Loaded<Names> loaded = store.load(tenant, stream(person), this.names);
			return store.append(tenant, stream(person), loaded, NewEvent.of(new Named(person, "last")));
		});
	}

	private List<Map<String, Object>> others() {
		return this.world.jdbc().queryForList("""
				select e::text from eventing.events e where not (tenant_id = 'acme' and stream_id = '%1$s')
				union all select s::text from eventing.snapshots s where not (tenant_id = 'acme' and stream_id = '%1$s')
				union all select p::text from person p where not (tenant_id = 'acme' and stream = 'a')
				union all select s::text from eventing.streams s
				union all select concat(global_position, event_id, tenant_id, stream_id, stream_version, event_type,
				                        occurred_at, recorded_at) from eventing.events
				order by 1""".formatted(stream("a")));
	}

	@Test
	void streamsLoadAsIfTheyHadNoContentsAndGoOn() {
		append(World.ACME, "a", this.secret, this.secret);
		Loaded<Names> before = this.world.inTransaction((store) -> store.load(World.ACME, stream("a"), this.names));
		assertThat(before.state().all()).hasSize(2);
		erase("a");
		Loaded<Names> after = this.world.inTransaction((store) -> store.load(World.ACME, stream("a"), this.names));
		assertThat(after.state().all()).isEmpty();
		assertThat(after.version()).isEqualTo(2);
		List<StoredEvent> events = this.world
			.inTransaction((store) -> store.readStream(World.ACME, stream("a")).toList());
		assertThat(events).hasSize(2).allMatch(StoredEvent::isErased);
		assertThat(events).extracting(StoredEvent::version).containsExactly(1L, 2L);
		// a stream loaded before is appended to, and not kept as a snapshot
		this.world.inTransaction(
				(store) -> store.append(World.ACME, stream("a"), before, NewEvent.of(new Named("a", "new"))));
		assertThat(this.world.count("select count(*) from eventing.snapshots where state_type <> ''")).isZero();
		assertThatNothingIsFound();
		snapshot(World.ACME, "a");
		assertThat(this.world.inTransaction((store) -> store.load(World.ACME, stream("a"), this.names)).state().all())
			.containsExactly("new", "last");
		assertThat(this.world.count("select count(*) from eventing.snapshots where state_type <> ''")).isOne();
	}

	@Test
	void waitsForAHandlerThatAppliesOneOfTheEventsAndThenTakesItsRowsToo() throws Exception {
		Stored people = new Stored();
		people.waitsFor = this.secret;
		try (AnnotationConfigApplicationContext application = start(people)) {
			append(World.ACME, "a", this.secret, this.secret + "2", this.secret + "3");
			eraseDuringACall(people, 3);
		}
	}

	/** As one of an owner whose machine is lost, which is taken over then. */
	@Test
	void letsOthersGoOnWhileItCannotEndATenureWhoseTransactionStaysOpen() {
		append(World.ACME, "a", this.secret);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitNames(World.ACME, "a", this.secret);
			awaitDeclared();
			this.projections.rebuildBeside(PEOPLE, "anna", "a column", Patience.LONG);
			awaitGeneration(2, Status.READY);
		}
		List<CompletableFuture<ErasureReport>> erased = new ArrayList<>();
		this.world.whileHolding("select from eventing.lease_epochs where lease_name = 'projector/people#2' for share",
				() -> {
					erased.add(CompletableFuture.supplyAsync(() -> erase("a")));
					await().until(() -> this.world.count("select count(*) from pg_locks where not granted") > 0);
					append(World.ACME, "a", this.secret + "2");
					assertThat(erased).singleElement().matches((each) -> !each.isDone());
				});
		assertThat(count(erased.get(0).join(), "events")).isEqualTo(2);
		assertThatNothingIsFound();
	}

	@Test
	void leavesNoDeadLetterOfAHandlerThatFailsMeanwhile() throws Exception {
		Stored people = new Stored();
		people.waitsFor = this.secret;
		people.fails = true;
		try (AnnotationConfigApplicationContext application = start(people)) {
			append(World.ACME, "a", this.secret);
			eraseDuringACall(people, 1);
		}
	}

	/** The erasure waits for the call of the handler, and takes what it leaves. */
	private void eraseDuringACall(Stored people, int events) throws Exception {
		people.begun.await();
		awaitDeclared();
		CompletableFuture<ErasureReport> erased = CompletableFuture.supplyAsync(() -> erase("a"));
		Steady.holds(Duration.ofMillis(500), () -> !erased.isDone());
		people.goesOn.countDown();
		assertThat(count(erased.get(), "events")).isEqualTo(events);
		append(World.ACME, "a", "new");
		awaitNames(World.ACME, "a", "new");
		assertThatNothingIsFound();
	}

	@Test
	void projectorsPassTombstonesOverWhateverTheyReadLater() {
		append(World.ACME, "a", this.secret, this.secret);
		append(World.ACME, "b", "bob");
		erase("a");
		append(World.ACME, "a", "new");
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitNames(World.ACME, "b", "bob");
			awaitNames(World.ACME, "a", "new");
			assertThat(this.world.deadLetters(PEOPLE)).isEmpty();
			this.projections.rebuildInPlace(PEOPLE, "anna", "a look", Patience.LONG);
			awaitGeneration(2, Status.LIVE);
			awaitNames(World.ACME, "a", "new");
			assertThat(this.world.deadLetters(PEOPLE)).isEmpty();
			assertThat(this.world.count("select count(*) from eventing.applied_events('people')")).isEqualTo(2);
		}
	}

	@Test
	void takesTheRowsOfTheGenerationBesideTheLiveOneToo() {
		append(World.ACME, "a", this.secret);
		append(World.ACME, "b", "bob");
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitNames(World.ACME, "b", "bob");
			awaitNames(World.ACME, "a", this.secret);
			awaitDeclared();
			this.projections.rebuildBeside(PEOPLE, "anna", "a column", Patience.LONG);
			awaitGeneration(2, Status.READY);
			await().until(() -> names("people_g2", World.ACME, "a").equals(this.secret));
			assertThat(count(erase("a"), "rows of table \"person\"")).isEqualTo(2);
			assertThatNothingIsFound();
			append(World.ACME, "a", "new");
			awaitNames(World.ACME, "a", "new");
			await().until(() -> names("people_g2", World.ACME, "a").equals("new"));
			assertThat(names("people_g2", World.ACME, "b")).isEqualTo("bob");
		}
	}

	private void awaitGeneration(int generation, Status status) {
		await().until(() -> this.projections.generations(PEOPLE)
			.stream()
			.anyMatch((each) -> each.generation() == generation && each.status() == status));
	}

	/** A query that fails may name a value. */
	@Test
	void takesErrorsOfReconciliations() {
		append(World.ACME, "a", this.secret);
		this.world.jdbc().update("""
				insert into eventing.projection_checks (projector_name, check_name, duration_ms, actor, error)
				values ('people', 'totals', 1, 'anna', ?)""", "invalid input syntax for type integer: " + this.secret);
		assertThat(count(erase("a"), "errors of reconciliations")).isOne();
		assertThatNothingIsFound();
		assertThat(erase("a").total()).isZero();
	}

	@Test
	void takesEffectsThatAreNotAppendedYetAndNamesLiveViews() {
		append(World.ACME, "a", this.secret);
		append(World.ACME, "b", "bob");
		effect("a", 2, "STORED", stream("b"));
		effect("a", 0, "SETTLED", null);
		effect("b", 2, "DUE", stream("a"));
		effect("b", 3, "STORED", stream("c"));
		this.world.jdbc().update("""
				insert into eventing.projections (projection_name, generation, status, definition, version)
				values ('names', 1, 'LIVE', 'x', 1)""");
		this.world.jdbc().update("""
				insert into eventing.projection_snapshots (projection_name, generation, tenant_id, key, state, version)
				values ('names', 1, 'acme', 'k', '{}', 1), ('names', 2, 'globex', 'k', '{}', 1)""");
		assertThat(count(this.erasure.plan(request("a")), "effects of handlers")).isEqualTo(2);
		ErasureReport erased = erase("a");
		assertThat(count(erased, "effects of handlers")).isEqualTo(2);
		assertThat(erased.notErased())
			.containsExactly("states of live view \"names\", generation 1: not erased: rebuild the view or the key");
		assertThat(this.world.jdbc()
			.queryForList("select state || generation from eventing.projection_effects order by 1", String.class))
			.containsExactly("SETTLED0", "STORED3");
		assertThat(count(erase("a"), "effects of handlers")).isZero();
	}

	private void effect(String person, int generation, String state, @Nullable String to) {
		this.world.jdbc()
			.update("""
					insert into eventing.projection_effects (projection_name, event_id, tenant_id, generation, n, state,
					                                         sequence, effect_id, stream_id, event_type, payload, metadata)
					select 'people', e.event_id, e.tenant_id, ?, 0, ?, e.global_position,
					       case when cast(? as text) is not null then gen_random_uuid() end, ?, e.event_type, e.payload, '{}'
					  from eventing.events e where e.tenant_id = 'acme' and e.stream_id = ?""",
					generation, state, to, to, stream(person));
	}

	@Test
	void takesTheRowsOfAnInlineProjector() {
		try (AnnotationConfigApplicationContext application = start(new Inline())) {
			await().until(() -> new JdbcInlineProjections(this.world.jdbc().getDataSource(), EventingSchema.defaults())
				.find(PEOPLE)
				.orElse(null) == InlineStatus.INLINE);
			append(World.ACME, "a", this.secret);
			awaitNames(World.ACME, "a", this.secret);
			awaitDeclared();
			erase("a");
			assertThatNothingIsFound();
			append(World.ACME, "a", "new");
			awaitNames(World.ACME, "a", "new");
		}
	}

	@Test
	void namesReadModelsThatDeclareNothing() {
		append(World.ACME, "a", this.secret);
		try (AnnotationConfigApplicationContext application = start(new Undeclared())) {
			awaitNames(World.ACME, "a", this.secret);
			assertThat(this.erasure.plan(request("a")).notErased())
				.containsExactly("table \"person\" of projector \"people\", generation 1: "
						+ "the projector does not declare which of its rows belong to a stream");
			erase("a");
			assertThat(found(this.secret)).containsOnlyKeys("person");
		}
	}

	@Test
	void ofAStreamThatDoesNotExistItErasesNothing() {
		append(World.ACME, "a", this.secret);
		ErasureReport erased = erase("nobody");
		assertThat(erased.known()).isFalse();
		assertThat(erased.total()).isZero();
		assertThat(this.world
			.inTransaction((store) -> store.append(World.ACME, stream("nobody"), ExpectedVersion.noStream(),
					NewEvent.of(new Named("nobody", "x"))))
			.version()).isOne();
	}

}
