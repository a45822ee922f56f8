package dev.eventing.sdk.guarantees;

import java.math.BigDecimal;
import java.util.Map;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.guarantees.VersionedOrders.OrderPlaced;
import dev.eventing.sdk.guarantees.VersionedOrders.Orders;
import dev.eventing.sdk.guarantees.VersionedOrders.OrdersBefore;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An event of a version that a node's code does not know waits for a node with newer
 * code: it is neither acknowledged nor a dead letter.
 */
class G2NewerEventsIT {

	private static final String WHY = "was written in version 3";

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		VersionedOrders.createTable(this.world);
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void waitWithWhatFollowsThemForANodeWithNewerCode(Source source) {
		VersionedOrders.offer(this.world, source, 2, "a");
		VersionedOrders.offer(this.world, source, 3, "b");
		VersionedOrders.offer(this.world, source, 2, "c");
		try (AnnotationConfigApplicationContext before = start(source, new OrdersBefore())) {
			await().untilAsserted(() -> {
				assertThat(status(before).state()).isEqualTo(ProjectorState.WAITING_FOR_NEWER_CODE);
				assertThat(status(before).detail()).contains(WHY);
			});
			await().until(() -> VersionedOrders.lines(this.world).size() == 1);
			assertThatNothingIsSettledBehindTheFirst(source);
			try (AnnotationConfigApplicationContext newer = start(source, new Orders())) {
				await().until(() -> VersionedOrders.lines(this.world).size() == 3);
				await().until(() -> status(before).state() == ProjectorState.STANDBY);
				assertThat(status(newer).state()).isEqualTo(ProjectorState.RUNNING);
				assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR", "b 12.50 EUR",
						"c 12.50 EUR");
				assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			}
		}
	}

	private void assertThatNothingIsSettledBehindTheFirst(Source source) {
		assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR");
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isOne();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		if (source == Source.EVENT_STORE) {
			assertThat(this.world.checkpoint(Accounts.PROJECTOR)).isLessThan(2);
		}
		else {
			assertThat(this.world.hasSettledAll(Accounts.PROJECTOR)).isFalse();
		}
	}

	@Test
	void areGivenBackWhereNodesCompete() {
		VersionedOrders.offer(this.world, Source.JETSTREAM, 3, "b");
		VersionedOrders.offer(this.world, Source.JETSTREAM, 2, "c");
		ProjectorSettings shared = ProjectorSettings.builder().ordering(Ordering.NONE).build();
		try (AnnotationConfigApplicationContext before = this.world
			.start(VersionedOrders.application(Source.JETSTREAM, new OrdersBefore()).with(shared))) {
			await().untilAsserted(() -> {
				assertThat(VersionedOrders.lines(this.world)).containsExactly("c 12.50 EUR");
				assertThat(status(before).detail()).contains("it leaves events to nodes with newer code", WHY);
			});
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			try (AnnotationConfigApplicationContext newer = this.world
				.start(VersionedOrders.application(Source.JETSTREAM, new Orders()).with(shared))) {
				await().until(() -> VersionedOrders.lines(this.world).size() == 2);
				await().until(() -> this.world.hasSettledAll(Accounts.PROJECTOR));
			}
		}
	}

	@Test
	void ofDeadLettersStayRequestedUntilANodeWithNewerCodeOwnsTheProjector() {
		Orders broken = new Orders();
		broken.broken = true;
		VersionedOrders.offer(this.world, Source.EVENT_STORE, 3, "b");
		try (AnnotationConfigApplicationContext newer = start(Source.EVENT_STORE, broken)) {
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
		}
		try (AnnotationConfigApplicationContext before = start(Source.EVENT_STORE, new OrdersBefore())) {
			await().until(() -> status(before).state() == ProjectorState.RUNNING);
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna"));
			await().untilAsserted(() -> assertThat(status(before).detail())
				.contains("it leaves dead letters to nodes with newer code", WHY));
			VersionedOrders.offer(this.world, Source.EVENT_STORE, 2, "c");
			await().until(() -> VersionedOrders.lines(this.world).size() == 1);
			assertThat(letters(DeadLetterStatus.REDRIVING)).isOne();
		}
		try (AnnotationConfigApplicationContext newer = start(Source.EVENT_STORE, new Orders())) {
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 1);
			assertThat(VersionedOrders.lines(this.world)).containsExactly("b 12.50 EUR", "c 12.50 EUR");
		}
	}

	@Test
	void areNotWrittenWhileAPropertyNamesTheVersionOfOlderNodes() {
		WorldApplication readsMore = VersionedOrders.application(Source.EVENT_STORE)
			.customize((context) -> context.registerBean(WrittenVersions.class,
					() -> new WrittenVersions(Map.of(VersionedOrders.TYPE, 2))));
		try (AnnotationConfigApplicationContext writing = this.world.start(readsMore);
				AnnotationConfigApplicationContext before = start(Source.EVENT_STORE, new OrdersBefore())) {
			EventStore store = writing.getBean(EventStore.class);
			new TransactionTemplate(writing.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> store.append(World.ACME, this.world.storedStream("a"),
						ExpectedVersion.any(), NewEvent.of(new OrderPlaced("a", new BigDecimal("12.50"), "EUR"))));
			await().until(() -> VersionedOrders.lines(this.world).size() == 1);
			assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR");
			assertThat(this.world.stored(1).typeVersion()).isEqualTo(2);
			assertThat(status(before).state()).isEqualTo(ProjectorState.RUNNING);
		}
	}

	private long letters(DeadLetterStatus status) {
		return this.world.count("select count(*) from eventing.dead_letters where status = '" + status + "'");
	}

	private AnnotationConfigApplicationContext start(Source source, Object orders) {
		return this.world.start(VersionedOrders.application(source, orders));
	}

	private static ProjectorStatus status(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR);
	}

}
