package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** One type of event has one class in an application. */
class G1EventTypeNamesIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void twoProjectorsThatTakeOneTypeAsTwoClassesDoNotStart() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> this.world.start(WorldApplication.of(new UserList(), new GroupList())).close())
			.withMessageContaining("event type 'Created'")
			.withMessageContaining(Users.Created.class.getName())
			.withMessageContaining(Groups.Created.class.getName())
			.withMessageContaining("@EventType");
	}

	@Test
	void twoProjectorsThatTakeOneGenericClassWithTwoArgumentsDoNotStart() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> this.world.start(WorldApplication.of(new UserChanges(), new GroupChanges())).close())
			.withMessageContaining("event type 'Changed'")
			.withMessageContaining(Users.class.getName())
			.withMessageContaining(Groups.class.getName())
			.withMessageContaining("a class of its own for each");
	}

	@Test
	void theSecondClassOfATypeIsNeitherAppendedNorPublished() {
		UserList users = new UserList();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(users))) {
			publish(application, new Users.Created("ada"));
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> publish(application, new Groups.Created("staff")))
				.withMessageContaining(Users.Created.class.getName())
				.withMessageContaining(Groups.Created.class.getName());
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> append(application, new Groups.Created("staff")));
			append(application, new Groups.Renamed("staff"));
			assertThatExceptionOfType(InvalidEventException.class)
				.isThrownBy(() -> publish(application, new Users.Renamed("ada")))
				.withMessageContaining("event type 'Renamed'");
			publish(application, new Users.Created("bob"));
			await().untilAsserted(() -> assertThat(users.names).containsExactly("ada", "bob"));
		}
	}

	@Test
	void projectorsMayTakeATypeAsTwoClassesThatBothHaveItByAnnotation() {
		OrderList orders = new OrderList();
		OrderCount count = new OrderCount();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(orders, count))) {
			publish(application, new Placed("4711"));
			await().untilAsserted(() -> {
				assertThat(orders.placed).containsExactly(new Placed("4711"));
				assertThat(count.placed).hasSize(1);
			});
		}
	}

	private void publish(AnnotationConfigApplicationContext application, Object payload) {
		application.getBean(EventPublisher.class)
			.publish(this.world.root() + ".{tenant}.deposited",
					Event.builder(World.ACME, payload).streamId("a").build());
	}

	private static void append(AnnotationConfigApplicationContext application, Object payload) {
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> application.getBean(EventStore.class)
				.append(World.ACME, "group-1", ExpectedVersion.any(), NewEvent.of(payload)));
	}

	interface Users {

		record Created(String name) {
		}

		record Renamed(String name) {
		}

	}

	interface Groups {

		record Created(String title) {
		}

		record Renamed(String title) {
		}

	}

	record Changed<T>(T before, T after) {
	}

	@EventType("order.placed")
	record Placed(String order) {
	}

	/** What another projector reads of the same event. */
	@EventType("order.placed")
	record PlacedOnly() {
	}

	static class UserList {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "user-list")
		void on(Users.Created event) {
			this.names.add(event.name());
		}

	}

	static class GroupList {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "group-list")
		void on(Groups.Created event) {
		}

	}

	static class UserChanges {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "user-changes")
		void on(Changed<Users.Created> event) {
		}

	}

	static class GroupChanges {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "group-changes")
		void on(Changed<Groups.Created> event) {
		}

	}

	static class OrderList {

		private final List<Placed> placed = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "order-list")
		void on(Placed event) {
			this.placed.add(event);
		}

	}

	static class OrderCount {

		private final List<PlacedOnly> placed = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "order-count")
		void on(PlacedOnly event) {
			this.placed.add(event);
		}

	}

}
