package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.guarantees.VersionedOrders.OrderPlaced;
import dev.eventing.sdk.guarantees.VersionedOrders.OrderPlacedBefore;
import dev.eventing.sdk.guarantees.VersionedOrders.Orders;
import dev.eventing.sdk.guarantees.VersionedOrders.OrdersBefore;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.InlineProjectionException;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** An inline projector meets events of other versions than that of its code. */
class G12EvolutionIT extends InlineSetup {

	@BeforeEach
	void createTable() {
		VersionedOrders.createTable(this.world);
	}

	@Test
	void raisesOldEventsInAppendsAndPassesOverWhatMeansNothingAnyMore() {
		AnnotationConfigApplicationContext node = startInline(new Orders());
		append(node, VersionedOrders.event(1, "a1"),
				VersionedOrders.event(VersionedOrders.TYPE, 1, "avoid", "\"total\":\"\""),
				VersionedOrders.event(3, "a3"));
		assertThat(VersionedOrders.lines(this.world)).containsExactly("a1 12.50 EUR", "a3 12.50 EUR");
		assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		VersionedOrders.offerMixed(this.world, Source.EVENT_STORE, "b");
		await().until(() -> VersionedOrders.lines(this.world).size() == 6);
		awaitStatus(InlineStatus.INLINE);
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void rollsAnAppendBackThatItsCodeCannotRead() {
		AnnotationConfigApplicationContext node = startInline(new OrdersBefore());
		assertThatExceptionOfType(InlineProjectionException.class)
			.isThrownBy(() -> append(node, VersionedOrders.event(2, "a"), VersionedOrders.event(3, "b")))
			.withMessageContaining("was written in version 3")
			.withCauseInstanceOf(NewerEventException.class);
		NewEvent broken = VersionedOrders.event(VersionedOrders.TYPE, 1, "b", "\"total\":\"much EUR\"");
		assertThatExceptionOfType(InlineProjectionException.class)
			.isThrownBy(() -> append(node, VersionedOrders.event(2, "a"), broken))
			.withMessageContaining("did not apply event " + broken.id())
			.withMessageContaining("its upcaster from version 1 threw")
			.withMessageNotContaining("much");
		assertThat(this.world.count("select count(*) from eventing.events")).isZero();
		assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		append(node, VersionedOrders.event(2, "a"));
		assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR");
	}

	@Test
	void staysInlineWhileItsNodesReadATypeInTwoVersions() {
		AnnotationConfigApplicationContext before = startInline(new PlacedBefore());
		AnnotationConfigApplicationContext newer = start(new Placed());
		newer.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		append(newer, VersionedOrders.event(3, "a"));
		append(before, VersionedOrders.event(2, "b"));
		assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR", "b 12.50 EUR");
		await().untilAsserted(() -> assertThat(this.world.checkpoint(Accounts.PROJECTOR))
			.as("the owner passes over what it could not read")
			.isGreaterThanOrEqualTo(this.world.count("select max(global_position) from eventing.events")));
		VersionedOrders.offer(this.world, Source.EVENT_STORE, 3, "c");
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DIVERGED);
		newer.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		await().until(() -> VersionedOrders.lines(this.world).size() == 3);
		awaitStatus(InlineStatus.INLINE);
		append(before, VersionedOrders.event(2, "d"));
		assertThat(VersionedOrders.lines(this.world)).hasSize(4);
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void isHealedByANodeWithNewerCode() {
		startInline(new OrdersBefore());
		AnnotationConfigApplicationContext newer = start(new Orders());
		append(newer, VersionedOrders.event(3, "a"));
		await().until(() -> VersionedOrders.lines(this.world).size() == 1);
		awaitStatus(InlineStatus.INLINE);
		append(newer, VersionedOrders.event(3, "b"));
		assertThat(VersionedOrders.lines(this.world)).containsExactly("a 12.50 EUR", "b 12.50 EUR");
		assertThat(this.world.count("select count(*) from eventing.processed_events"))
			.as("only the first was not applied by its append")
			.isOne();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Override
	AnnotationConfigApplicationContext start(Object orders) {
		return this.world.start(VersionedOrders.application(Source.INLINE, orders));
	}

	/** Appends all of them to one stream. */
	private void append(AnnotationConfigApplicationContext node, NewEvent... events) {
		in(node, TransactionDefinition.ISOLATION_DEFAULT,
				(store) -> store.append(World.ACME, this.world.storedStream("orders"), ExpectedVersion.any(), events));
	}

	/** It handles the same as {@link PlacedBefore}. */
	@Projector(value = Accounts.PROJECTOR, tables = "order_line")
	static class Placed extends VersionedOrders.Lines {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(OrderPlaced event, UUID eventId, String tenantId) {
			add(tenantId, event.order(), event.amount(), event.currency());
		}

	}

	/** The same, as older code knows the type. */
	@Projector(value = Accounts.PROJECTOR, tables = "order_line")
	static class PlacedBefore extends VersionedOrders.Lines {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(OrderPlacedBefore event, UUID eventId, String tenantId) {
			add(tenantId, event.order(), event.amount(), event.unit());
		}

	}

}
