package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A handler of a sealed type takes the events of all classes that it permits. */
class G6SealedTypesIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void takesTheEventsOfAllPermittedClassesInOneBatchAndInOrder() {
		publish(new Opened("a"));
		publish(new Blocked("a"));
		publish(new Closed("a", "moved"));
		Changes changes = new Changes();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(changes))) {
			await().until(() -> World.status(application, "changes").counts().processed() == 3);
			assertThat(changes.batches).flatMap((batch) -> batch)
				.containsExactly(new Opened("a"), new Blocked("a"), new Closed("a", "moved"));
			assertThat(World.status(application, "changes").counts().skipped()).isZero();
			assertThat(changes.batches).hasSizeLessThan(3);
		}
	}

	private void publish(Change change) {
		this.world.publish(Event.builder(World.ACME, change).streamId("a").build());
	}

	/** The events of an account. */
	sealed interface Change permits Opened, End {

	}

	record Opened(String account) implements Change {
	}

	/** The events at its end. */
	sealed interface End extends Change permits Blocked, Closed {

	}

	record Blocked(String account) implements End {
	}

	@EventType("account.closed")
	record Closed(String account, String why) implements End {
	}

	static class Changes {

		private final List<List<Change>> batches = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "changes")
		void on(List<Event<Change>> events) {
			this.batches.add(events.stream().<Change>map(Event::payload).toList());
		}

	}

}
