package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import io.nats.client.api.Mirror;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** Streams that get their events from another one, and durables that were paused. */
class MirrorsAndSourcesIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void deleteTheOrigin() {
		if (this.world.jetStream((management) -> management.getStreamNames().contains(origin()))) {
			this.world.jetStream((management) -> management.deleteStream(origin()));
		}
	}

	@Test
	void aMirrorIsReadUnderTheSubjectsOfItsOrigin() {
		createOrigin();
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.mirror(Mirror.builder().sourceName(origin()).build())
			.build()));
		try (AnnotationConfigApplicationContext application = start(new EverydayStreamsIT.Sourced())) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
		this.world.publish(World.ACME, "a", 4, 5);
		try (AnnotationConfigApplicationContext application = start(new EverydayStreamsIT.Sourced())) {
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	@Test
	void whatASourceTransformsIsReadUnderTheSubjectThatIsStored() {
		createOrigin();
		gather(this.world.root() + ".*.deposited", this.world.root() + ".gathered.{{wildcard(1)}}");
		try (AnnotationConfigApplicationContext application = start(new Gathered())) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** It would run, and never get an event. */
	@Test
	void theSubjectOfTheOriginIsRefusedIfTheSourceTransformsIt() {
		createOrigin();
		gather(this.world.root() + ".*.deposited", this.world.root() + "-gathered.{{wildcard(1)}}");
		assertThatException().isThrownBy(() -> start(new EverydayStreamsIT.Sourced()))
			.havingCause()
			.withMessageContaining("listens to '" + this.world.root() + ".*.deposited' but stream '"
					+ this.world.stream() + "' carries '" + this.world.root() + "-gathered.*'");
	}

	@Test
	void whatASourceBroughtBeforeItTransformedIsRead() {
		createOrigin();
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.addSource(Source.builder().sourceName(origin()).build())
			.build()));
		this.world.publish(World.ACME, "a", 1, 2);
		await().until(() -> this.world.<Long>jetStream(
				(management) -> management.getStreamInfo(this.world.stream()).getStreamState().getMsgCount()) == 2);
		this.world.jetStream((management) -> management.updateStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.addSource(gathered(this.world.root() + ".*.deposited", this.world.root() + "-gathered.{{wildcard(1)}}"))
			.build()));
		try (AnnotationConfigApplicationContext application = start(new EverydayStreamsIT.Sourced())) {
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** How many tokens it makes depends on the message. */
	@Test
	void whatAStreamSplitsIsReadUnderTheSubjectThatIsStored() {
		this.world.jetStream((management) -> management.deleteStream(this.world.stream()));
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.subjects(this.world.root() + ".*")
			.subjectTransform(SubjectTransform.builder()
				.source(this.world.root() + ".*")
				.destination(this.world.root() + "-stored.{{split(1,-)}}")
				.build())
			.build()));
		try (AnnotationConfigApplicationContext application = start(new Split());
				Wire wire = new Wire(this.world.natsUrl())) {
			wire.publish(this.world.root() + ".acme-eu", G5DeadLetterIT.headers(Map.of()),
					"{\"account\":\"a\",\"version\":1,\"amount\":1}");
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** An operator may pause it between two versions of the application. */
	@Test
	void aStartWithADurableThatIsPausedSaysUntilWhen() {
		assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
		ProjectorSettings settings = ProjectorSettings.builder().stalledAfter(Duration.ofSeconds(6)).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
		}
		ZonedDateTime until = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).truncatedTo(ChronoUnit.SECONDS);
		this.world.jetStream((management) -> management.pauseConsumer(this.world.stream(), DURABLE, until));
		this.world.publish(World.ACME, "a", 2, 2);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings))) {
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STALLED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("is paused on the server until " + until.toInstant());
			});
			this.world.jetStream((management) -> management.resumeConsumer(this.world.stream(), DURABLE));
			await().until(() -> this.world.version(World.ACME, "a") == 2);
		}
	}

	private String origin() {
		return this.world.stream() + "-origin";
	}

	/** It takes what the world publishes, in place of the world's own stream. */
	private void createOrigin() {
		this.world.jetStream((management) -> management.deleteStream(this.world.stream()));
		this.world.jetStream((management) -> management.addStream(
				StreamConfiguration.builder().name(origin()).subjects(this.world.root() + ".*.deposited").build()));
	}

	private void gather(String subject, String destination) {
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.addSource(gathered(subject, destination))
			.build()));
	}

	private Source gathered(String subject, String destination) {
		return Source.builder()
			.sourceName(origin())
			.subjectTransforms(SubjectTransform.builder().source(subject).destination(destination).build())
			.build();
	}

	private AnnotationConfigApplicationContext start(Object handlers) {
		return this.world.start(WorldApplication.of(handlers).withoutStreams());
	}

	/** Listens to what the source makes of the subject. */
	static class Gathered {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.gathered.{tenant}", stream = "${root}",
				projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

	/** Listens to one token of what the stream splits. */
	static class Split {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}-stored.{tenant}.eu", stream = "${root}",
				projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

}
