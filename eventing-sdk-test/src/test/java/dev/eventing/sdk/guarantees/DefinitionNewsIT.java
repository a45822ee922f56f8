package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A start logs what the code handles that the live generation did not. */
@ExtendWith(OutputCaptureExtension.class)
class DefinitionNewsIT {

	private static final String PROJECTOR = "news";

	@AutoClose
	private final World world = World.create();

	@Test
	void countsTheEventsOfANewTypeBeforeTheCheckpointOfTheLiveGeneration(CapturedOutput output) {
		withdraw(3);
		this.world.append(World.ACME, "a", 1, 2);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			awaitCheckpoint(5);
			assertThat(former.isActive()).isTrue();
		}
		assertThat(output).doesNotContain("Projector 'news' has version");
		withdraw(1);
		String line = "Projector 'news' has version 2 here. Its live generation 1 is of version 1, which alone feeds it. "
				+ "Version 2 handles 'Withdrawn', which generation 1 does not: 3 of them lie before position 5, its "
				+ "checkpoint. Let version 1 handle the same, if with methods that do nothing. Then build version 2 beside "
				+ "it ('eventing projection rebuild news'), and switch to it.";
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			awaitLine(output, line);
			awaitCheckpoint(6);
			this.world.takeLease("projector/" + PROJECTOR); // it begins again
			this.world.append(World.ACME, "a", 3, 3);
			awaitCheckpoint(7);
			assertThat(both.isActive()).isTrue();
		}
		assertThat(StringUtils.countOccurrencesOf(output.getOut(), "Projector 'news' has version")).isEqualTo(1);
	}

	@Test
	void tellsItWhereAnotherNodeOwnsTheProjectorAndCountsNoFurtherThanItsBound(CapturedOutput output) {
		withdraw(1);
		this.world.jdbc().update("""
				insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
				                             payload, metadata)
				select gen_random_uuid(), tenant_id, stream_id, 1 + number, event_type, occurred_at, payload, metadata
				  from eventing.events, generate_series(1, 100000) as number""");
		try (AnnotationConfigApplicationContext owner = start(new First())) {
			awaitCheckpoint(100_001);
			try (AnnotationConfigApplicationContext other = start(new Second())) {
				await().until(() -> World.status(other, PROJECTOR).state() == ProjectorState.STANDBY);
				awaitLine(output, "which generation 1 does not: more than 100,000 of them lie before position 100,001, "
						+ "its checkpoint.");
				assertThat(World.status(owner, PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}
	}

	@Test
	void saysLessIfItCannotCount(CapturedOutput output) {
		withdraw(1);
		try (AnnotationConfigApplicationContext owner = start(new First())) {
			awaitCheckpoint(1);
			assertThat(owner.isActive()).isTrue();
			this.world.whileHolding("lock table eventing.events in access exclusive mode", () -> {
				try (AnnotationConfigApplicationContext other = start(new Second())) {
					await().until(() -> World.status(other, PROJECTOR).state() == ProjectorState.STANDBY);
					awaitLine(output, "Version 2 handles 'Withdrawn', which generation 1 does not. Let version 1");
				}
			});
		}
	}

	@Test
	void saysWhatBecomesOfTheEarlierEventsWithinOneVersion(CapturedOutput output) {
		withdraw(2);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			awaitCheckpoint(2);
			assertThat(former.isActive()).isTrue();
		}
		try (AnnotationConfigApplicationContext later = start(new Wider())) {
			awaitLine(output, "Projector 'news' handles 'Withdrawn', which generation 1 did not: 2 of them lie before "
					+ "position 2, its checkpoint. It handles those that it skipped now, after later events of their keys. "
					+ "'eventing projection rebuild news' builds the read model as if it always had.");
			assertThat(later.isActive()).isTrue();
		}
		try (AnnotationConfigApplicationContext again = start(new First())) {
			awaitLine(output, "Projector 'news' no longer handles 'Withdrawn' on '" + this.world.root()
					+ ".*.deposited'. What it has applied stays.");
			assertThat(again.isActive()).isTrue();
		}
	}

	/** Two versions of a projector handle the same events. */
	@Test
	void comparesTheNewestVersionWithThatOfTheSameNode(CapturedOutput output) {
		withdraw(2);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			awaitCheckpoint(2);
			assertThat(former.isActive()).isTrue();
		}
		try (AnnotationConfigApplicationContext later = start(new Wider(), new Second())) {
			awaitLine(output,
					"Projector 'news' handles 'Withdrawn', which generation 1 did not: 2 of them lie before ");
			awaitLine(output, "Its live generation 1 is of version 1, which alone feeds it. Build version 2 beside it "
					+ "('eventing projection rebuild news'), and switch to it.");
			assertThat(later.isActive()).isTrue();
		}
	}

	@Test
	void saysSinceWhenAStreamHasSuchEvents(CapturedOutput output) {
		this.world.publish(World.ACME, "a", 1, 2);
		this.world.publisher()
			.publish(this.world.subject(), Event.builder(World.ACME, new Withdrawn("a")).streamId("a").build());
		try (AnnotationConfigApplicationContext former = start(new OfStream())) {
			awaitLine(output, "skips events of type 'Withdrawn' from 3 of");
			assertThat(former.isActive()).isTrue();
		}
		ProjectorSettings fromNow = ProjectorSettings.builder().newHandlers(NewHandlersPolicy.FROM_NOW).build();
		try (AnnotationConfigApplicationContext later = this.world
			.start(WorldApplication.of(new WiderOfStream()).with(fromNow))) {
			awaitLine(output, "Projector 'news' handles 'Withdrawn', which generation 1 did not: it skipped them from "
					+ "sequence 3 of '" + this.world.stream() + "' on. It leaves out the earlier ones.");
			assertThat(later.isActive()).isTrue();
		}
	}

	private void withdraw(int events) {
		for (int event = 0; event < events; event++) {
			this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream("w"),
					ExpectedVersion.any(), NewEvent.of(new Withdrawn("w"))));
		}
	}

	private void awaitCheckpoint(long position) {
		await().until(() -> this.world.checkpoint(PROJECTOR) == position);
	}

	private static void awaitLine(CapturedOutput output, String line) {
		await().untilAsserted(() -> assertThat(output.getOut()).contains(line));
	}

	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions).lease(Duration.ofSeconds(2)));
	}

	@Projector(value = PROJECTOR, tables = "account")
	static class First {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event) {
		}

	}

	/** The same version, in an application that has grown since. */
	@Projector(value = PROJECTOR, tables = "account")
	static class Wider extends First {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Withdrawn event) {
		}

	}

	@Projector(value = PROJECTOR, version = 2, tables = "account")
	static class Second extends Wider {

	}

	@Projector(PROJECTOR)
	static class OfStream {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event) {
		}

	}

	@Projector(PROJECTOR)
	static class WiderOfStream extends OfStream {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Withdrawn event) {
		}

	}

}
