package dev.eventing.sdk.projector.delivery;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each event gets its own handler and tenant, whatever was read before it. */
class DeliveryDecoderTests {

	private static final HandlerMethod PLACED = handler("orders.{tenant}.placed", "order.placed");

	private static final HandlerMethod PAID = handler("payments.{tenant}", "order.paid");

	private static final HandlerMethod OTHERS = handler("payments.{tenant}", HandlerMethod.ANY_TYPE);

	private final DeliveryDecoder decoder = new DeliveryDecoder(new ProjectorEndpoint(ProjectorId.of("orders"),
			"orders-consumer", null, List.of(PLACED, PAID, OTHERS), ProjectorOptions.of(ProjectorSettings.NONE)),
			new EventReader(EventJson.mapper()));

	private long sequence;

	@Test
	void aSubjectOfAnotherTenantIsThatOfAnotherTenant() {
		assertThat(receive("orders.acme.placed", "order.placed", "acme").handler()).isEqualTo(PLACED);
		assertThat(receive("orders.globex.placed", "order.placed", "globex").handler()).isEqualTo(PLACED);
		assertThat(reason(receive("orders.globex.placed", "order.placed", "acme")))
			.isEqualTo(ReadResult.Reason.TENANT_MISMATCH);
		assertThat(receive("orders.acme.placed", "order.placed", "acme").handler()).isEqualTo(PLACED);
	}

	@Test
	void theTypeDecidesAmongTheHandlersOfASubject() {
		assertThat(receive("payments.acme", "order.paid", "acme").handler()).isEqualTo(PAID);
		assertThat(receive("payments.acme", "order.refunded", "acme").handler()).isEqualTo(OTHERS);
		assertThat(receive("payments.acme", "order.paid", "acme").handler()).isEqualTo(PAID);
		assertThat(receive("orders.acme.placed", "order.paid", "acme").handler()).isNull();
	}

	@Test
	void listensToTheSubjectsOfAllHandlers() {
		assertThat(this.decoder.listensTo("orders.acme.placed")).isTrue();
		assertThat(this.decoder.listensTo("payments.acme")).isTrue();
		assertThat(this.decoder.listensTo("orders.acme.shipped")).isFalse();
	}

	@Test
	void knowsTheKeyOfAnEventThatCannotBeRead() {
		assertThat(unreadable(this.decoder).key()).isEqualTo("acme/a");
	}

	/** JetStream publishes it when it is due, with the same id and another header. */
	@Test
	void aScheduleOfAnEventIsNoEventYet() {
		RoutedEvent schedule = this.decoder
			.route(with("Nats-Schedule", "@at 2030-01-31T12:00:00Z", "Nats-Schedule-Target", "orders.acme.placed"));
		assertThat(schedule.hasEvent()).isFalse();
		assertThat(schedule.isMarker()).isTrue();
		assertThat(schedule.key()).isNull();
		RoutedEvent due = this.decoder.route(with("Nats-Scheduler", "payments.later", "Nats-Schedule-Next", "purge"));
		assertThat(due.isMarker()).isFalse();
		assertThat(due.handler()).isEqualTo(PAID);
	}

	private static SourceEvent with(String name, String value, String another, String anothersValue) {
		RawEvent raw = new EventWriter(EventJson.mapper()).write("payments.acme", event("order.paid"));
		EventHeaders headers = raw.headers().toBuilder().add(name, value).add(another, anothersValue).build();
		return StreamEvents.at(1, new RawEvent(raw.subject(), headers, raw.payload()));
	}

	@Test
	void doesNotTakeTheStreamForTheKeyIfAnExpressionNamesIt() {
		assertThat(unreadable(decoder("payload")).key()).isNull();
		assertThat(decoder("payload.length()").route(source("payments.acme", event("order.refunded"))).hasEvent())
			.as("a key expression that fails")
			.isFalse();
		assertThat(decoder("payload").route(source("orders.acme.placed", event("order.unknown"))).key())
			.as("no handler binds the payload")
			.isNull();
		RoutedEvent byType = decoder("type").route(source("orders.acme.placed", event("order.unknown")));
		assertThat(byType.key()).isEqualTo("acme/order.unknown");
		assertThat(byType.keyInTenant()).isEqualTo("order.unknown");
	}

	private RoutedEvent unreadable(DeliveryDecoder with) {
		RawEvent raw = new EventWriter(EventJson.mapper()).write("payments.acme", event("order.paid"));
		EventHeaders.Builder headers = EventHeaders.builder();
		raw.headers().forEach((name, value) -> headers.add(name, name.equals("ce-specversion") ? "2.0" : value));
		return with.route(StreamEvents.at(1, new RawEvent(raw.subject(), headers.build(), raw.payload())));
	}

	private static SourceEvent source(String subject, Event<?> event) {
		return StreamEvents.at(1, new EventWriter(EventJson.mapper()).write(subject, event));
	}

	private static Event<String> event(String type) {
		return Event.builder(TenantId.of("acme"), "x").type(type).streamId("a").build();
	}

	private static DeliveryDecoder decoder(String key) {
		return new DeliveryDecoder(
				new ProjectorEndpoint(ProjectorId.of("orders"), "orders-consumer", null, List.of(PLACED, PAID, OTHERS),
						ProjectorOptions.of(ProjectorSettings.builder().key(key).build())),
				new EventReader(EventJson.mapper()));
	}

	private RoutedEvent receive(String subject, String type, String tenant) {
		Event<String> event = Event.builder(TenantId.of(tenant), "x").type(type).build();
		this.sequence++;
		return this.decoder
			.route(StreamEvents.at(this.sequence, new EventWriter(EventJson.mapper()).write(subject, event)));
	}

	private static ReadResult.Reason reason(RoutedEvent event) {
		return ((ReadResult.Unreadable) event.read()).reason();
	}

	private static HandlerMethod handler(String subject, String type) {
		return new HandlerMethod(type, SubjectTemplate.of(subject), Map.of(type, String.class), false,
				(events, resources) -> {
				});
	}

}
