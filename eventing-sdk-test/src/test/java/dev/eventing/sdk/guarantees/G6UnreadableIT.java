package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6 with events that cannot be read: whatever is wrong with one, it parks its key, if
 * that is known.
 */
class G6UnreadableIT {

	private static final ProjectorSettings THREE_LANES = ProjectorSettings.builder()
		.batchSize(20)
		.concurrency(3)
		.build();

	private static final String SECOND = "{\"account\":\"a\",\"version\":2,\"amount\":2}";

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	@ParameterizedTest
	@CsvSource({ "ce-id, %zz, INVALID_HEADER", "ce-id, '', NO_ID", "ce-type, '', NO_TYPE",
			"ce-type, %zz, INVALID_HEADER", "ce-specversion, 2.0, UNSUPPORTED" })
	void parksTheKeyOfAnEventWithABadHeader(String header, String value, String reason) {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			this.wire.publish(stream(), headers(Map.of(header, value)), SECOND);
			this.world.publish(World.ACME, "a", 3, 4);
			this.world.publish(World.ACME, "b", 1, 3);
			await().until(() -> this.world.version(World.ACME, "b") == 3);
			await()
				.untilAsserted(() -> assertThat(reasons()).containsExactly("UNREADABLE:" + reason, "BEHIND", "BEHIND"));
			assertThat(accounts.calledVersions("a")).containsExactly(1L);
			assertThat(letters()).extracting((letter) -> letter.handling().parkingKey()).containsOnly("acme/a");
		}
	}

	/** Nothing of what it does depends on them. */
	@Test
	void appliesAnEventWhoseTimeSequenceOrCorrelationCannotBeRead() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			this.wire.publish(stream(),
					headers(Map.of("ce-time", "noon", "ce-sequence", "two", "ce-correlationid", "%zz")), SECOND);
			this.world.publish(World.ACME, "a", 3, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L);
			assertThat(letters()).isEmpty();
		}
	}

	/** There is no order that a dead letter could break, so its key continues. */
	@Test
	void parksNoKeyWithoutOrderButGoesOnWithIt() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts,
				THREE_LANES.toBuilder().ordering(Ordering.NONE).build())) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			this.wire.publish(stream(), headers(Map.of("ce-type", "%zz")), SECOND);
			this.world.publish(World.ACME, "a", 3, 4);
			await().untilAsserted(() -> assertThat(accounts.calledVersions("a")).containsExactlyInAnyOrder(1L, 3L, 4L));
			await().untilAsserted(() -> assertThat(reasons()).containsExactly("UNREADABLE:INVALID_HEADER"));
			assertThat(letters().get(0).handling().parkingKey()).isNull();
		}
	}

	@Test
	void appliesTheKeyInOrderOnceTheBodyOfItsUnreadableEventIsMended() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			UUID id = UUID.randomUUID();
			this.world.publish(World.ACME, "a", 1, 1);
			this.wire.publish(stream(), Map.of("Content-Type", "application/cloudevents+json"), structured(id, "7"));
			this.world.publish(World.ACME, "a", 3, 3);
			await().untilAsserted(() -> assertThat(reasons()).containsExactly("UNREADABLE:INVALID_HEADER", "BEHIND"));
			UUID letter = letters().get(0).letterId();
			redriveAll();
			await().untilAsserted(() -> assertThat(letters()).extracting((each) -> each.handling().status())
				.containsOnly(DeadLetterStatus.PARKED));
			assertThat(accounts.calledVersions("a")).as("it still cannot be read").containsExactly(1L);
			this.world.operators()
				.edit(letter, structured(id, "\"Deposited\"").getBytes(StandardCharsets.UTF_8), "ops", "its type");
			redriveAll();
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L);
		}
	}

	@Test
	void parksTheStreamOfARowThatCannotBeRead() {
		Accounts accounts = new Accounts();
		this.world.append(World.ACME, "a", 1, 3);
		this.world.append(World.ACME, "keyed", 1, 2);
		spoil("a", "{\"source\": 7, \"headers\": 3}");
		spoil("keyed",
				"{\"source\": \"/test\", \"key\": \"of a row\", \"correlationId\": \"" + "x".repeat(600) + "\"}");
		try (AnnotationConfigApplicationContext application = start(accounts,
				THREE_LANES.toBuilder().source(Source.EVENT_STORE).build())) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> this.world.version(World.ACME, "keyed") == 2);
			await().untilAsserted(() -> assertThat(letters()).extracting((letter) -> letter.handling().parkingKey())
				.containsExactlyInAnyOrder(key("a"), key("a"), key("a"), "acme/of a row"));
			assertThat(accounts.calledVersions("a")).isEmpty();
		}
	}

	private String key(String account) {
		return "acme/" + this.world.storedStream(account);
	}

	@Test
	void parksWhatAnExpressionNamesThoughThePayloadCannotBeRead() {
		ProjectorSettings byCorrelation = THREE_LANES.toBuilder()
			.key("correlationId")
			.unknownType(UnknownTypePolicy.DEAD_LETTER)
			.build();
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, byCorrelation)) {
			assertThat(application.isActive()).isTrue();
			this.wire.publish(stream(), headers(Map.of("ce-correlationid", "one")), "not { json");
			this.wire.publish(stream(), headers(Map.of("ce-correlationid", "two", "ce-type", "Other")), SECOND);
			this.world.publish(correlated("b", "one"));
			this.world.publish(correlated("c", "two"));
			this.world.publish(correlated("d", "three"));
			await().until(() -> this.world.version(World.ACME, "d") == 1);
			await().untilAsserted(() -> assertThat(letters()).extracting((letter) -> letter.handling().parkingKey())
				.containsExactlyInAnyOrder("acme/one", "acme/one", "acme/two", "acme/two"));
			assertThat(accounts.calls).extracting(Deposited::account).containsExactly("d");
		}
	}

	private static Event<Deposited> correlated(String account, String correlation) {
		return Event.builder(World.ACME, new Deposited(account, 1, 1)).streamId("a").correlationId(correlation).build();
	}

	private void redriveAll() {
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
	}

	private String stream() {
		return this.world.root() + ".acme.deposited";
	}

	private static Map<String, String> headers(Map<String, String> changes) {
		return G5DeadLetterIT.headers(changes);
	}

	private static String structured(UUID id, String type) {
		return """
				{"specversion": "1.0", "id": "%s", "type": %s, "source": "/test", "tenantid": "acme",
				 "subject": "a", "data": %s}""".formatted(id, type, SECOND);
	}

	/** Makes the first event of a stream as no append leaves it. */
	private void spoil(String account, String metadata) {
		this.world.jdbc()
			.update("update eventing.events set metadata = ?::jsonb where stream_id = ? and stream_version = 1",
					metadata, this.world.storedStream(account));
	}

	private List<String> reasons() {
		return letters().stream().map(DeadLetter::reason).toList();
	}

	private List<DeadLetter> letters() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.sorted(Comparator.comparing(DeadLetter::number))
			.toList();
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(accounts).with(settings));
	}

}
