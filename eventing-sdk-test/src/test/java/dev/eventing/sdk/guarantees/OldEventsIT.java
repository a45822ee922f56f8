package dev.eventing.sdk.guarantees;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.guarantees.VersionedOrders.OrderChange;
import dev.eventing.sdk.guarantees.VersionedOrders.OrderPlaced;
import dev.eventing.sdk.guarantees.VersionedOrders.Orders;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.EventVerification;
import dev.eventing.sdk.store.EventVerifier;
import dev.eventing.sdk.store.Fold;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Events of earlier versions are raised to the version of the class that takes them, from
 * each source, in a build, in a redrive and in a fold.
 */
class OldEventsIT extends BesideSetup {

	private static final List<String> ALL = List.of("a1 12.50 EUR", "a2 12.50 EUR", "a3 12.50 EUR", "aold 12.50 EUR");

	@BeforeEach
	void createTable() {
		VersionedOrders.createTable(this.world);
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void ofThreeVersionsAreAppliedLiveAndInABuild(Source source) {
		VersionedOrders.offerMixed(this.world, source, "a");
		try (AnnotationConfigApplicationContext application = start(source, new Orders())) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 5);
			assertThat(VersionedOrders.lines(this.world)).isEqualTo(ALL);
			assertThat(this.world.count("select count(*) from eventing.processed_events"))
				.as("the dropped event counts as applied")
				.isEqualTo(5);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(VersionedOrders.lines(this.world, "accounts_g2")).isEqualTo(ALL);
			VersionedOrders.offerMixed(this.world, source, "b");
			await().until(() -> VersionedOrders.lines(this.world, "accounts_g2").size() == 8);
			await().until(() -> VersionedOrders.lines(this.world).size() == 8);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void ofThreeVersionsAreRedrivenAndAnEditedPayloadKeepsItsVersion(Source source) {
		Orders orders = new Orders();
		orders.broken = true;
		VersionedOrders.offerMixed(this.world, source, "a");
		try (AnnotationConfigApplicationContext application = start(source, orders)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 4);
			this.world.operators()
				.edit(letter("a1"), "{\"order\":\"a1\",\"total\":\"99 CHF\"}".getBytes(UTF_8), "anna", "x");
			orders.broken = false;
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna"));
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR)
				.stream()
				.allMatch((letter) -> letter.status() == DeadLetterStatus.RESOLVED));
			List<String> edited = List.of("a1 99 CHF", "a2 12.50 EUR", "a3 12.50 EUR", "aold 12.50 EUR");
			assertThat(VersionedOrders.lines(this.world)).isEqualTo(edited);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(VersionedOrders.lines(this.world, "accounts_g2")).isEqualTo(edited);
		}
	}

	private UUID letter(String order) {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.filter((letter) -> new String(letter.event().payload(), UTF_8).contains("\"" + order + "\""))
			.map(DeadLetter::letterId)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void ofThreeVersionsAreFolded() {
		for (int version = 1; version <= 3; version++) {
			VersionedOrders.offer(this.world, Source.EVENT_STORE, version, "a");
		}
		VersionedOrders.offer(this.world, Source.EVENT_STORE, VersionedOrders.ALIAS, 1, "a", "\"total\":\"1 EUR\"");
		VersionedOrders.offer(this.world, Source.EVENT_STORE, VersionedOrders.TYPE, 1, "a", "\"total\":\"\"");
		assertThat(
				this.world.count("select count(*) from eventing.events where metadata ->> 'typeVersion' is not null"))
			.as("version 1 is absent")
			.isEqualTo(2);
		Fold<BigDecimal> sum = Fold.of(BigDecimal.class, BigDecimal.ZERO, PayloadTypes.ofSealed(OrderChange.class),
				(before, change) -> (change instanceof OrderPlaced placed) ? before.add(placed.amount()) : before);
		try (AnnotationConfigApplicationContext application = start(Source.EVENT_STORE, new Orders())) {
			EventStore store = application.getBean(EventStore.class);
			assertThat(store.load(World.ACME, this.world.storedStream("a"), sum).state()).isEqualByComparingTo("38.50");
			assertThat(store.load(World.ACME, this.world.storedStream("a"), sum).version()).isEqualTo(5);
		}
	}

	@Test
	void thatNoLongerBindAreFoundWithoutHandlers() {
		VersionedOrders.offerMixed(this.world, Source.EVENT_STORE, "a");
		VersionedOrders.offer(this.world, Source.EVENT_STORE, VersionedOrders.TYPE, 1, "b", "\"total\":\"much EUR\"");
		VersionedOrders.offer(this.world, Source.EVENT_STORE, VersionedOrders.TYPE, 4, "c", "\"amount\":1");
		VersionedOrders.offer(this.world, Source.EVENT_STORE, "order.lost", 1, "d", "\"amount\":1");
		try (AnnotationConfigApplicationContext application = this.world
			.start(VersionedOrders.application(Source.EVENT_STORE, PayloadTypes.ofSealed(OrderChange.class)))) {
			EventVerification found = application.getBean(EventVerifier.class).verify();
			assertThat(found.events()).isEqualTo(8);
			assertThat(found.unknownTypes()).containsExactly("order.lost");
			assertThat(found.isClean()).isFalse();
			assertThat(found.unbound()).hasSize(2)
				.extracting(EventVerification.Unbound::type, EventVerification.Unbound::version,
						EventVerification.Unbound::events)
				.containsExactly(tuple(VersionedOrders.TYPE, 1, 1L), tuple(VersionedOrders.TYPE, 4, 1L));
			assertThat(found.unbound().get(0).problem()).contains("its upcaster from version 1 threw")
				.doesNotContain("much");
			assertThat(found.unbound().get(0).positions()).containsExactly(6L);
			assertThat(found.unbound().get(1).problem()).contains("written in version 4");
		}
	}

	private AnnotationConfigApplicationContext start(Source source, Object orders) {
		return this.world.start(VersionedOrders.application(source, orders));
	}

}
