package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class EventPublisherIT {

	private static final String SUBJECT = "orders.{tenant}.placed";

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(NatsServer.start());

	private final NatsClient client = this.fixture.opened(new NatsClient(NatsOptions.of(this.server.url())));

	@Test
	void awaitsTheStreamsConfirmation() {
		EventPublisher publisher = publisher(List.of(orders()));
		assertThat(publisher.publish(SUBJECT, event(ACME))).isEqualTo(new Published("ORDERS", 1, false));
		assertThat(publisher.publish(SUBJECT, event(ACME))).isEqualTo(new Published("ORDERS", 2, false));
	}

	@Test
	void storesARepeatedPublishOnceAndTheSameIdOfAnotherTenantToo() {
		EventPublisher publisher = publisher(List.of(orders()));
		Event<Placed> event = event(ACME);
		Event<Placed> another = Event.builder(GLOBEX, new Placed("x")).id(event.id()).build();
		assertThat(publisher.publish(SUBJECT, event).duplicate()).isFalse();
		assertThat(publisher.publish(SUBJECT, event)).isEqualTo(new Published("ORDERS", 1, true));
		assertThat(publisher.publish(SUBJECT, another)).isEqualTo(new Published("ORDERS", 2, false));
	}

	@Test
	void triesAgainWhileNobodyAnswersForTheSubject() {
		EventPublisher publisher = publisher(List.of());
		CompletableFuture<Published> published = CompletableFuture
			.supplyAsync(() -> publisher.publish(SUBJECT, event(ACME)));
		await().pollDelay(Duration.ofMillis(300)).until(() -> !published.isDone());
		new Streams(this.client, List.of(orders())).declareAll();
		assertThat(published).succeedsWithin(Patience.LONG).isEqualTo(new Published("ORDERS", 1, false));
	}

	@Test
	void publishesOnceOverARestartOfTheServer() {
		EventPublisher publisher = publisher(List.of(orders()));
		publisher.publish(SUBJECT, event(ACME));
		this.server.kill();
		CompletableFuture<Published> published = CompletableFuture
			.supplyAsync(() -> publisher.publish(SUBJECT, event(ACME)));
		this.server.restart();
		assertThat(published).succeedsWithin(Patience.LONG)
			.satisfies((confirmed) -> assertThat(confirmed.sequence()).isEqualTo(2));
	}

	@Test
	void givesUpWithATypedErrorWhenNoStreamCarriesTheSubject() {
		EventPublisher publisher = publisher(List.of());
		assertThatExceptionOfType(SubjectNotTakenException.class)
			.isThrownBy(() -> publisher.publish(SUBJECT, event(ACME)))
			.withMessageStartingWith("No stream takes the event for subject 'orders.acme.placed'. Consider one");
		assertThat(publisher.publishAsync(SUBJECT, event(ACME))).failsWithin(Patience.LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(SubjectNotTakenException.class);
	}

	@Test
	void refusesAWildcardBeforeAnythingIsSent() {
		EventPublisher publisher = publisher(List.of(orders()));
		assertThatExceptionOfType(SubjectTemplate.InvalidSubjectException.class)
			.isThrownBy(() -> publisher.publish("orders.{tenant}.*", event(ACME)));
	}

	@Test
	void refusesWhatIsLargerThanTheServerAcceptsAndPublishesTheNext() {
		EventPublisher publisher = publisher(List.of(orders()));
		Event<Placed> large = Event.builder(ACME, new Placed("x".repeat(2_000_000))).build();
		assertThatExceptionOfType(EventRefusedException.class).isThrownBy(() -> publisher.publish(SUBJECT, large))
			.withMessageStartingWith("The event for subject 'orders.acme.placed' has 2000")
			.withMessageEndingWith("Consider smaller events, or a larger max_payload of the server.");
		assertThat(publisher.publishAsync(SUBJECT, large)).failsWithin(Patience.LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(EventRefusedException.class);
		assertThat(publisher.publish(SUBJECT, event(ACME))).isEqualTo(new Published("ORDERS", 1, false));
	}

	@Test
	void confirmsWithoutWaitingIfAsked() {
		EventPublisher publisher = publisher(List.of(orders()));
		assertThat(publisher.publishAsync(SUBJECT, event(ACME))).succeedsWithin(Patience.LONG)
			.isEqualTo(new Published("ORDERS", 1, false));
	}

	private EventPublisher publisher(List<StreamSpec> declared) {
		return new EventPublisher(this.client, new Streams(this.client, declared), new EventWriter(EventJson.mapper()));
	}

	private static StreamSpec orders() {
		return new StreamSpec("ORDERS", List.of("orders.>"), 1, null);
	}

	private static Event<Placed> event(TenantId tenant) {
		return Event.builder(tenant, new Placed("o-1")).streamId("o-1").build();
	}

	/** An order was placed. */
	record Placed(String order) {
	}

}
