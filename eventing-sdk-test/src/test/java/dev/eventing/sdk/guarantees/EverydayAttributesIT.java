package dev.eventing.sdk.guarantees;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Attributes that publishers write as they like, and that no handler depends on. */
class EverydayAttributesIT {

	private static final String BODY = "{\"account\":\"a\",\"version\":1,\"amount\":1}";

	private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

	private static final List<String> TIMES = List.of("2026-01-31T12:00Z", "2026-01-31T12:00:00+0000",
			"2026-01-31 12:00:00Z", "2026-01-31T13:00:00+01", "2026-01-31t12:00:00.000z", "2026-01-31 07:30 -0430");

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	private final Keeping keeping = new Keeping();

	@Test
	void giveTheTimeThatTheyMeanWhateverItsForm() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(this.keeping))) {
			TIMES.forEach((time) -> publish(Map.of("ce-time", time), BODY));
			TIMES.forEach((time) -> publish(Map.of("Content-Type", "application/cloudevents+json"),
					structured("\"" + time + "\"", "1", "\"c\"")));
			await().untilAsserted(() -> assertThat(this.keeping.events).hasSize(2 * TIMES.size()));
			assertThat(this.keeping.events).extracting(Event::time).containsOnly(NOON);
			assertThat(this.world.deadLetters("keeping")).isEmpty();
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Then the event has the time of the stream, and its headers keep what came. */
	@Test
	void costNoEventWhereTheyCannotBeRead() {
		String longest = "c".repeat(5000);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(this.keeping))) {
			publish(Map.of("ce-time", "2026-01-31T12:00:00", "ce-sequence", "17/4", "ce-correlationid", longest,
					"ce-causationid", "%zz"), BODY);
			publish(Map.of("Content-Type", "application/cloudevents+json"),
					structured("1769860800", "[17]", "{\"trace\":1}"));
			await().untilAsserted(() -> assertThat(this.keeping.events).hasSize(2));
			assertThat(this.keeping.events).allSatisfy((event) -> {
				assertThat(event.streamVersion()).isNull();
				assertThat(event.headers().first("ce-time")).isNotNull();
				assertThat(event.headers().first("ce-sequence")).contains("17");
			});
			assertThat(this.keeping.events.get(0).headers().first("ce-correlationid")).isEqualTo(longest);
			for (int number = 0; number < 2; number++) {
				long sequence = number + 1L;
				assertThat(this.keeping.events.get(number).time()).isEqualTo(this.world.<Instant>jetStream(
						(management) -> management.getMessage(this.world.stream(), sequence).getTime().toInstant()));
			}
			assertThat(this.world.deadLetters("keeping")).isEmpty();
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Whatever publishers mean by them. */
	@Test
	void costNoEventWhereTheSdkDoesNotDependOnThem() {
		String longest = "https://shop.example/" + "x".repeat(600);
		List<Map<String, String>> headers = List.of(Map.of("ce-source", longest), Map.of("ce-source", "caf%zz"),
				Map.of("ce-source", "a%00b"), Map.of("ce-dataversion", "1.0"), Map.of("ce-dataversion", "2026-01-31"),
				Map.of("ce-specversion", "v1"), Map.of("ce-subject", longest), Map.of("ce-subject", "a%00b"),
				Map.of("ce-partitionkey", "100%"), Map.of("ce-dataschema", "%zz", "traceparent", "none"));
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(this.keeping))) {
			headers.forEach((each) -> publish(each, BODY));
			publish(Map.of("Content-Type", "application/cloudevents+json"),
					structured("\"2026-01-31T12:00:00Z\"", "1", "\"c\"").replace("\"1.0\"", "1.0")
						.replace("\"source\": \"test\"", "\"source\": [\"\\ud800\"], \"dataversion\": {}"));
			await().untilAsserted(() -> assertThat(this.keeping.events).hasSize(headers.size() + 1));
			assertThat(this.world.deadLetters("keeping")).isEmpty();
			assertThat(this.keeping.events.get(0).source()).hasSize(512).startsWith("https://shop.example/x");
			assertThat(this.keeping.events.get(0).headers().first("ce-source")).isEqualTo(longest);
			assertThat(this.keeping.events.get(1).source()).isEqualTo("caf%zz");
			assertThat(this.keeping.events).extracting(Event::typeVersion).containsOnly(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** The key is in the columns of the letter, and of those that it parks. */
	@Test
	void keepTheOrderOfAKeyThatCannotBeStored() {
		String longest = "k%00" + "x".repeat(3000);
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
		Refusing refusing = new Refusing();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(refusing).with(once))) {
			publish(Map.of("ce-subject", longest), BODY);
			publish(Map.of("ce-subject", longest), BODY);
			publish(Map.of("ce-subject", longest + "1"), BODY);
			await().until(() -> this.world.deadLetters("refusing").size() == 3);
			assertThat(this.world.deadLetters("refusing")).extracting(DeadLetter::reason)
				.containsExactlyInAnyOrder("ATTEMPTS_EXHAUSTED", "BEHIND", "ATTEMPTS_EXHAUSTED");
			// A batch that fails runs again, each of its events alone.
			assertThat(Set.copyOf(refusing.keys)).hasSize(2);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void publish(Map<String, String> headers, String body) {
		boolean isBinary = !headers.containsKey("Content-Type");
		this.wire.publish(this.world.root() + ".acme.deposited", isBinary ? G5DeadLetterIT.headers(headers) : headers,
				body);
	}

	private static String structured(String time, String sequence, String correlation) {
		return """
				{"specversion": "1.0", "id": "%s", "type": "Deposited", "source": "test", "tenantid": "acme",
				 "subject": "a", "time": %s, "sequence": %s, "correlationid": %s, "data": %s}"""
			.formatted(UUID.randomUUID(), time, sequence, correlation, BODY);
	}

	/** Keeps what it is given, in one lane. */
	static class Keeping {

		private final List<Event<Deposited>> events = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "keeping", concurrency = 1)
		void on(Event<Deposited> event) {
			this.events.add(event);
		}

	}

	/** Refuses each event. */
	static class Refusing {

		private final List<String> keys = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "refusing")
		void on(Event<Deposited> event) {
			this.keys.add(String.valueOf(event.orderingKey()));
			throw new Accounts.Refused();
		}

	}

}
