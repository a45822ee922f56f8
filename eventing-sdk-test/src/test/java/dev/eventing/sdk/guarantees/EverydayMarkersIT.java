package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** Markers of a server where every message without a handler is to be a dead letter. */
class EverydayMarkersIT {

	@AutoClose
	private final World world = World.create();

	/** As the server writes them where a subject is purged, or a message removed. */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "INHERIT")
	void areSkippedInEachOrderAndWhateverUnknownTypesAre(Ordering ordering) throws Exception {
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			assumeThat(connection.getServerInfo().isSameOrNewerThanVersion("2.11.0")).as("markers").isTrue();
		}
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.allowMessageTtl()
				.subjectDeleteMarkerTtl(Duration.ofMinutes(10))
				.build());
		});
		ProjectorSettings settings = ProjectorSettings.builder()
			.ordering(ordering)
			.concurrency(1)
			.unknownType(UnknownTypePolicy.DEAD_LETTER)
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings)); Wire wire = new Wire(this.world.natsUrl())) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			for (String reason : List.of("Purge", "Remove")) {
				wire.publish(this.world.root() + ".acme.deposited", Map.of("Nats-Marker-Reason", reason), "");
			}
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().untilAsserted(() -> assertThat(skipped(application)).isEqualTo(2));
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/**
	 * A stream keeps the headers of its origin and adds its own, and a later server may
	 * have other reasons. Skipped messages are skipped again when the stream is read
	 * again.
	 */
	@Test
	void areSkippedWithOtherHeadersTooAndWhereAReadModelIsFilledAnew() {
		StreamRebuilds rebuilds = new StreamRebuilds(this.world);
		ProjectorSettings settings = ProjectorSettings.builder().unknownType(UnknownTypePolicy.DEAD_LETTER).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new StreamAccounts()).lease(Duration.ofSeconds(2)).with(settings));
				Wire wire = new Wire(this.world.natsUrl())) {
			this.world.publish(World.ACME, "a", 1, 1);
			for (String reason : List.of("MaxAge", "Purge", "OfALaterServer")) {
				wire.publish(
						this.world.root() + ".acme.deposited", Map.of("Nats-Marker-Reason", reason,
								"Nats-Subject-Before", "origin.deposited", "Nats-Time-Stamp", "2026-01-31T12:00:00Z"),
						"");
			}
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().untilAsserted(() -> assertThat(skipped(application)).isEqualTo(3));
			this.world.jdbc().update("update account set total = -1");
			rebuilds.rebuild();
			rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			await()
				.untilAsserted(() -> assertThat(this.world.jdbc().queryForList("select total from account", Long.class))
					.containsExactly(3L));
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** It has the id of the event that the server publishes when it is due. */
	@Test
	void areSkippedAsSchedulesAreWhoseEventsAreAppliedWhenTheyAreDue() throws Exception {
		streamWithSchedules(RetentionPolicy.Limits);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			publishLater("Nats-Schedule");
			await().untilAsserted(() -> assertThat(skipped(application)).isOne());
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** These would delete the schedule that is settled, and its event with it. */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "Limits")
	void thatAreSchedulesAreLeftToAServerThatDeletesWhatIsSettled(RetentionPolicy retention) throws Exception {
		streamWithSchedules(retention);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			publishLater("Nats-Schedule");
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.contains("does not settle messages with the header 'Nats-Schedule'"));
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(skipped(application)).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** The server takes it for an event. */
	@Test
	void areNoSchedulesIfTheirHeadersHaveAnotherCase() throws Exception {
		streamWithSchedules(RetentionPolicy.Limits);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			publishLater("nats-schedule");
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(skipped(application)).isZero();
		}
	}

	/** An older server stores them, and never publishes their events. */
	@Test
	void thatAreSchedulesInAStreamWithoutThemAreTold() throws Exception {
		assumeThat(hasSchedules()).isFalse();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			publishLater("Nats-Schedule");
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.contains("does not allow schedules: no server publishes their events"));
			assertThat(this.world.version(World.ACME, "a")).isZero();
		}
	}

	private void streamWithSchedules(RetentionPolicy retention) throws Exception {
		assumeThat(hasSchedules()).isTrue();
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.retentionPolicy(retention)
				.allowMessageSchedules()
				.build());
		});
	}

	private boolean hasSchedules() throws Exception {
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			return connection.getServerInfo().isSameOrNewerThanVersion("2.12.0");
		}
	}

	/** Has the first deposit published in two seconds. */
	private void publishLater(String header) throws Exception {
		String target = this.world.root() + ".acme.deposited";
		RawEvent event = new EventWriter(EventJson.mapper()).write(target, this.world.deposit(World.ACME, "a", 1));
		Map<String, String> headers = new LinkedHashMap<>();
		event.headers().forEach(headers::put);
		headers.put(header, "@at " + Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS));
		headers.put(header + "-Target", target);
		String subject = header.equals("Nats-Schedule") ? this.world.root() + ".later.deposited" : target;
		try (Wire wire = new Wire(this.world.natsUrl())) {
			wire.publish(subject, headers, new String(event.payload(), StandardCharsets.UTF_8));
		}
	}

	private static long skipped(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts().skipped();
	}

}
