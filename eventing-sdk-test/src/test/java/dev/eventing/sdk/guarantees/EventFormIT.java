package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.Loaded;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Written events are read unchanged, with any settings of the application's JSON, and
 * after its classes have gained components.
 */
class EventFormIT {

	private static final ZonedDateTime NEW_YEAR = ZonedDateTime.of(2026, 1, 1, 0, 30, 0, 0, ZoneId.of("Europe/Berlin"));

	/** The handler's types, which are the read model's. */
	private static final Booked BOOKED = new Booked("a", 250, NEW_YEAR.toOffsetDateTime(), NEW_YEAR);

	private static final String STORED = """
			{"accountName":"a","amountInCents":250,"bookedAt":"2026-01-01T00:30:00+01:00",\
			"valueAt":"2026-01-01T00:30:00+01:00[Europe/Berlin]"}""";

	@AutoClose
	private final World world = World.create();

	private final Books books = new Books();

	/** For its web, as {@code spring.jackson.*} makes one. */
	private static JsonMapper webMapper() {
		return JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.changeDefaultPropertyInclusion((any) -> any.withValueInclusion(JsonInclude.Include.NON_DEFAULT))
			.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
			.build();
	}

	private AnnotationConfigApplicationContext start(Source source) {
		return this.world.start(WorldApplication.of(this.books)
			.with(ProjectorSettings.builder().source(source).build())
			.customize((context) -> context.registerBean(JsonMapper.class, EventFormIT::webMapper)));
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void doesNotDependOnTheJsonMapperOfTheApplication(Source source) {
		offer(source, BOOKED);
		try (AnnotationConfigApplicationContext application = start(source)) {
			offer(application, source, BOOKED);
			await().until(() -> World.status(application, "books").counts().processed() == 2);
			assertThat(this.books.booked).containsOnly(BOOKED);
			assertThat(this.world.deadLetters("books")).isEmpty();
		}
		assertThat(written(source)).containsExactly(STORED, STORED);
	}

	private List<String> written(Source source) {
		if (source == Source.EVENT_STORE) {
			return this.world.jdbc()
				.queryForList("select case payload when ?::jsonb then ? else payload::text end from eventing.events",
						String.class, STORED, STORED);
		}
		return List.of(message(1), message(2));
	}

	private String message(long sequence) {
		byte[] data = this.world
			.jetStream((management) -> management.getMessage(this.world.stream(), sequence).getData());
		return new String(data, StandardCharsets.UTF_8);
	}

	@Test
	void ofSnapshotsDoesNotDependOnItEither() {
		Fold<Total> total = new Fold<>("total", Total.class, new Total(0, null), (state, event) -> {
			Booked booked = PayloadTypes.<Booked>of(Booked.class).bind(event);
			return new Total(state.totalInCents() + booked.amountInCents(), booked.bookedAt());
		}, 1, 1);
		offer(Source.EVENT_STORE, BOOKED);
		try (AnnotationConfigApplicationContext application = start(Source.EVENT_STORE)) {
			EventStore store = application.getBean(EventStore.class);
			inTransaction(application, () -> store.append(World.ACME, this.world.storedStream("a"),
					store.load(World.ACME, this.world.storedStream("a"), total), NewEvent.of(BOOKED)));
			assertThat(this.world.jdbc().queryForList("select state::text from eventing.snapshots", String.class))
				.containsExactly("{\"lastBookedAt\": \"2026-01-01T00:30:00+01:00\", \"totalInCents\": 250}");
			Loaded<Total> loaded = this.world
				.inTransaction((any) -> any.load(World.ACME, this.world.storedStream("a"), total));
			assertThat(loaded.snapshotVersion()).isEqualTo(1);
			assertThat(loaded.state()).isEqualTo(new Total(500, BOOKED.bookedAt()));
		}
	}

	@Test
	void ofASnapshotIsNeverEmptyWhereItsStateHasFields() {
		Fold<Hidden> hidden = new Fold<>("hidden", Hidden.class, new Hidden(), (state, event) -> state.plus(250), 1, 1);
		offer(Source.EVENT_STORE, BOOKED);
		Loaded<Hidden> loaded = this.world
			.inTransaction((store) -> store.load(World.ACME, this.world.storedStream("a"), hidden));
		assertThatExceptionOfType(PayloadWritingException.class)
			.isThrownBy(() -> this.world.inTransaction(
					(store) -> store.append(World.ACME, this.world.storedStream("a"), loaded, NewEvent.of(BOOKED))))
			.withMessageContaining("hidden");
		assertThat(this.world.count("select count(*) from eventing.events")).isEqualTo(1);
		assertThat(this.world.count("select count(*) from eventing.snapshots")).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void ofOlderEventsFitsAClassWithNewPrimitiveComponents(Source source) {
		offer(source, new Renamed("a", "b"));
		try (AnnotationConfigApplicationContext application = start(source)) {
			await().until(() -> this.books.renamed.size() == 1 || !this.world.deadLetters("books").isEmpty());
			assertThat(this.books.renamed).containsExactly(new NowRenamed("a", "b", 0, false, 0));
			assertThat(this.world.deadLetters("books")).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void ofOlderEventsFitsNewPrimitiveComponentsOfWhatTheyHold(Source source) {
		offer(source, new Packed("a", List.of(new Item("x")), Map.of("y", new Item("y"))));
		try (AnnotationConfigApplicationContext application = start(source)) {
			await().until(() -> this.books.packed.size() == 1 || !this.world.deadLetters("books").isEmpty());
			assertThat(this.books.packed).containsExactly(new NowPacked("a",
					List.of(new NowItem("x", 0, '\0', 0, false)), Map.of("y", new NowItem("y", 0, '\0', 0, false))));
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters("books")).isEmpty();
	}

	@Test
	void ofOlderEventsFitsSuchAClassWhereAStreamIsLoaded() {
		offer(Source.EVENT_STORE, new Renamed("a", "b"));
		Fold<NowRenamed> last = Fold.of(NowRenamed.class, new NowRenamed("", "", 0, false, 0),
				PayloadTypes.<NowRenamed>of(NowRenamed.class), (state, event) -> event);
		Loaded<NowRenamed> loaded = this.world
			.inTransaction((store) -> store.load(World.ACME, this.world.storedStream("a"), last));
		assertThat(loaded.state()).isEqualTo(new NowRenamed("a", "b", 0, false, 0));
	}

	@Test
	void ofNullInPlaceOfAPrimitiveIsADeadLetterAndNotZero() {
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM);
				Wire wire = new Wire(this.world.natsUrl())) {
			publish(wire, "renamed", "{\"from\":\"a\",\"to\":\"b\",\"times\":null}");
			await().until(() -> this.world.deadLetters("books").size() == 1);
			assertThat(this.books.renamed).isEmpty();
			assertThat(World.status(application, "books").counts().processed()).isZero();
		}
	}

	@Test
	void keepsTheDayOfATimeInEveryFormOnTheWire() {
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM);
				Wire wire = new Wire(this.world.natsUrl())) {
			publish(wire, "booked", STORED);
			wire.publish(this.world.subject().replace("{tenant}", "acme"),
					Map.of("Content-Type", "application/cloudevents+json"), """
							{"specversion":"1.0","id":"%s","type":"booked","source":"/a","tenantid":"acme","data":%s}"""
						.formatted(UUID.randomUUID(), STORED));
			wire.publish(this.world.subject().replace("{tenant}", "acme"), Map.of(), """
					{"eventId":"%s","eventType":"booked","tenantId":"acme","payload":%s}""".formatted(UUID.randomUUID(),
					STORED));
			await().until(() -> World.status(application, "books").counts().processed() == 3);
			assertThat(this.books.booked).containsExactly(BOOKED, BOOKED, BOOKED);
		}
	}

	@Test
	void ofAnEditedLetterIsThatOfEvents() {
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM);
				Wire wire = new Wire(this.world.natsUrl())) {
			publish(wire, "booked", STORED.replace("250", "\"much\""));
			await().until(() -> this.world.deadLetters("books").size() == 1);
			UUID letter = this.world.deadLetters("books").get(0).letterId();
			this.world.operators().edit(letter, STORED.getBytes(StandardCharsets.UTF_8), "anna", "a test");
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector("books"), "anna"));
			await().until(() -> this.world.deadLetters("books").get(0).status() == DeadLetterStatus.RESOLVED);
			assertThat(this.books.booked).containsExactly(BOOKED);
			assertThat(World.status(application, "books").counts().skipped()).isZero();
		}
	}

	private void publish(Wire wire, String type, String body) {
		wire.publish(this.world.subject().replace("{tenant}", "acme"),
				Map.of("ce-id", UUID.randomUUID().toString(), "ce-type", type, "ce-tenantid", "acme"), body);
	}

	/** As an application without settings publishes or appends it. */
	private void offer(Source source, Object payload) {
		if (source == Source.EVENT_STORE) {
			this.world.inTransaction((store) -> append(store, payload));
		}
		else {
			this.world.publish(event(payload));
		}
	}

	private void offer(AnnotationConfigApplicationContext application, Source source, Object payload) {
		if (source == Source.EVENT_STORE) {
			inTransaction(application, () -> append(application.getBean(EventStore.class), payload));
		}
		else {
			application.getBean(EventPublisher.class).publish(this.world.subject(), event(payload));
		}
	}

	private Object append(EventStore store, Object payload) {
		return store.append(World.ACME, this.world.storedStream("a"), ExpectedVersion.any(), NewEvent.of(payload));
	}

	private static Event<?> event(Object payload) {
		return Event.builder(World.ACME, payload).streamId("a").build();
	}

	private static void inTransaction(AnnotationConfigApplicationContext application, Runnable work) {
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> work.run());
	}

	@EventType("booked")
	record Booked(String accountName, long amountInCents, OffsetDateTime bookedAt, ZonedDateTime valueAt) {
	}

	@EventType("renamed")
	record Renamed(String from, String to) {
	}

	/** The same, some versions of the application later. */
	@EventType("renamed")
	record NowRenamed(String from, String to, int times, boolean byAdmin, double fee) {
	}

	@EventType("packed")
	record Packed(String box, List<Item> items, Map<String, Item> extras) {
	}

	record Item(String name) {
	}

	/** The same, some versions of the application later. */
	@EventType("packed")
	record NowPacked(String box, List<NowItem> items, Map<String, NowItem> extras) {
	}

	record NowItem(String name, long pieces, char size, float weight, boolean fragile) {
	}

	/** What bookings add up to. */
	record Total(long totalInCents, OffsetDateTime lastBookedAt) {
	}

	/** A state that Jackson sees nothing of. */
	static final class Hidden {

		private long total;

		Hidden plus(long amount) {
			Hidden sum = new Hidden();
			sum.total = this.total + amount;
			return sum;
		}

	}

	static class Books {

		private final List<Booked> booked = new CopyOnWriteArrayList<>();

		private final List<NowRenamed> renamed = new CopyOnWriteArrayList<>();

		private final List<NowPacked> packed = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "books", maxDeliver = 1)
		void on(Booked event) {
			this.booked.add(event);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "books")
		void on(NowRenamed event) {
			this.renamed.add(event);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "books")
		void on(NowPacked event) {
			this.packed.add(event);
		}

	}

}
