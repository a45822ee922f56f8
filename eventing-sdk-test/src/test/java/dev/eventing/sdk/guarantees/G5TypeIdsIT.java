package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The type of an event chooses the class of its payload, so that the payload needs no id
 * of the class, whatever {@code @JsonTypeInfo} demands.
 */
class G5TypeIdsIT {

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	private void publish(String type, String body) {
		this.wire.publish(this.world.root() + ".acme.deposited", Map.of("ce-specversion", "1.0", "ce-id",
				UUID.randomUUID().toString(), "ce-type", type, "ce-source", "/elsewhere", "ce-tenantid", "acme"), body);
	}

	@Test
	void eventsOfAPublisherThatKnowsNoTypeIdsReachTheirHandler() {
		publish("Opened", "{\"account\":\"a\"}");
		publish("Closed", "{\"account\":\"a\",\"kind\":\"account.closed.v2\"}");
		this.world.publish(Event.builder(World.ACME, (Change) new Opened("b")).streamId("a").build());
		Changes changes = new Changes();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(changes))) {
			await().untilAsserted(() -> assertThat(changes.seen).containsExactlyInAnyOrder(new Opened("a"),
					new Closed("a"), new Opened("b")));
			assertThat(this.world.deadLetters("changes")).isEmpty();
		}
	}

	@Test
	void aPayloadThatDoesNotFitItsClassIsADeadLetterWithOrWithoutTheId() {
		publish("Opened", "{\"account\":{}}");
		publish("Opened", "{\"kind\":\"opened\",\"account\":{}}");
		publish("Closed", "{\"account\":\"a\"}");
		Changes changes = new Changes();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(changes))) {
			await().untilAsserted(() -> assertThat(this.world.deadLetters("changes")).hasSize(2)
				.allSatisfy((letter) -> assertThat(letter.reason()).isEqualTo("UNREADABLE:PAYLOAD")));
			await().untilAsserted(() -> assertThat(changes.seen).containsExactly(new Closed("a")));
		}
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Opened.class, name = "opened"),
			@JsonSubTypes.Type(value = Closed.class, name = "closed") })
	sealed interface Change permits Opened, Closed {

	}

	record Opened(String account) implements Change {
	}

	record Closed(String account) implements Change {
	}

	static class Changes {

		private final List<Change> seen = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "changes")
		void on(Event<Change> event) {
			this.seen.add(event.payload());
		}

	}

}
