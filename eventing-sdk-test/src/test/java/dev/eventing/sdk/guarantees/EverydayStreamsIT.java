package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** What streams of users look like, and what servers write into them. */
@ExtendWith(OutputCaptureExtension.class)
class EverydayStreamsIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private static final TenantId GLOBEX = TenantId.of("globex");

	/** With the subject, and the time that the SDK adds. */
	private static final Pattern VIOLATION = Pattern
		.compile("permissions violation for publish to \"([^\"]+)\"[^(]*\\(([^)]+)\\)", Pattern.CASE_INSENSITIVE);

	private static final NatsUsers WITHOUT_PULL = NatsUsers.unnamed()
		.and("application", NatsUsers.denied("$JS.API.CONSUMER.MSG.NEXT.>"));

	@AutoClose
	private final World world = World.create();

	/** The log has one line for each durable that is gone, and not one each second. */
	@Test
	void goesOnWithAWorkQueueWhoseDurableIsGone(CapturedOutput output) {
		recreate((stream) -> stream.retentionPolicy(RetentionPolicy.WorkQueue));
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
			this.world.publish(World.ACME, "a", 3, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(recreations(output)).hasSize(1);
			List<String> warnings = warnings(output);
			Steady.holds("what the log has of the durable", Duration.ofSeconds(3),
					() -> warnings(output).equals(warnings));
			assertThat(application.isActive()).isTrue();
		}
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
		this.world.publish(World.ACME, "a", 4, 5);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
		assertThat(recreations(output)).hasSize(2);
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void skipsMarkersThatTheServerWroteInPlaceOfExpiredMessages() {
		assumeThat(this.world.isServerOf("2.11.0")).as("the server writes markers").isTrue();
		recreate((stream) -> stream.maxAge(Duration.ofSeconds(2))
			.duplicateWindow(Duration.ofMillis(100))
			.allowMessageTtl()
			.subjectDeleteMarkerTtl(Duration.ofMinutes(10)));
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			this.world.publish(this.world.deposit(GLOBEX, "g", 1));
			await().until(() -> this.world.version(GLOBEX, "g") == 1);
			await().untilAsserted(() -> assertThat(counts(application).skipped()).isEqualTo(2));
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(counts(application).deadLetters()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	@Test
	void stallsWhileItsDurableIsPausedOnTheServerAndSaysUntilWhen() {
		assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
		ZonedDateTime until = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).truncatedTo(ChronoUnit.SECONDS);
		try (AnnotationConfigApplicationContext application = this.world.start(stallingSoon())) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jetStream((management) -> management.pauseConsumer(this.world.stream(), DURABLE, until));
			this.world.publish(World.ACME, "a", 2, 3);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STALLED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("its durable '" + DURABLE + "' is paused on the server until " + until.toInstant());
				Health health = StruckThreads.health(application);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails().toString())
					.contains("its durable '" + DURABLE + "' is paused on the server until " + until.toInstant());
			});
			this.world.jetStream((management) -> management.resumeConsumer(this.world.stream(), DURABLE));
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
				assertThat(World.status(application, Accounts.PROJECTOR).detail()).doesNotContain("paused");
				assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.UP);
			});
		}
	}

	@Test
	void quotesTheServerThatForbidsThePull() {
		try (NatsServer server = WITHOUT_PULL.start(); World guarded = World.on(server)) {
			String url = NatsUsers.url(server, "application");
			Instant begun = Instant.now();
			try (AnnotationConfigApplicationContext application = guarded
				.start(WorldApplication.of(new Accounts()).natsAt(url))) {
				guarded.publish(World.ACME, "a", 1, 3);
				await().untilAsserted(() -> {
					assertThat(World.status(application, Accounts.PROJECTOR).state())
						.isEqualTo(ProjectorState.WAITING_FOR_NATS);
					assertThat(World.status(application, Accounts.PROJECTOR).detail())
						.contains("is connected but does not answer. It reported: ")
						.containsIgnoringCase("permissions violation for publish to \"$JS.API.CONSUMER.MSG.NEXT.");
					assertThatStatusAndHealthQuote("$JS.API.CONSUMER.MSG.NEXT." + guarded.stream() + ".", begun,
							Status.OUT_OF_SERVICE, application);
				});
			}
		}
	}

	/** All other requests are answered, so this is no outage. */
	@Test
	void stallsWhileTheServerForbidsThePull() {
		try (NatsServer server = WITHOUT_PULL.start(); World guarded = World.on(server)) {
			String url = NatsUsers.url(server, "application");
			try (AnnotationConfigApplicationContext application = guarded.start(stallingSoon().natsAt(url))) {
				guarded.publish(World.ACME, "a", 1, 3);
				await().untilAsserted(() -> {
					assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STALLED);
					assertThat(World.status(application, Accounts.PROJECTOR).detail())
						.contains("the server delivers none of the 3 events that wait; it reported: ")
						.containsIgnoringCase("permissions violation for publish to \"$JS.API.CONSUMER.MSG.NEXT.");
				});
				Steady.holds("it stays so while the intake tries again and again", Duration.ofSeconds(6),
						() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.STALLED);
				assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
			}
		}
	}

	/** Then the same events come again and again, and none after them. */
	@Test
	void quotesTheServerThatForbidsAcknowledgements() {
		NatsUsers withoutAck = NatsUsers.unnamed().and("application", NatsUsers.denied("$JS.ACK.>"));
		try (NatsServer server = withoutAck.start(); World guarded = World.on(server)) {
			String url = NatsUsers.url(server, "application");
			WorldApplication few = WorldApplication.of(new Accounts())
				.with(ProjectorSettings.builder()
					.stalledAfter(Duration.ofSeconds(6))
					.ackWait(Duration.ofSeconds(2))
					.maxAckPending(3)
					.build());
			Instant begun = Instant.now();
			try (AnnotationConfigApplicationContext application = guarded.start(few.natsAt(url))) {
				guarded.publish(World.ACME, "a", 1, 10);
				await().untilAsserted(() -> {
					assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STALLED);
					assertThat(World.status(application, Accounts.PROJECTOR).detail())
						.contains("the server takes no acknowledgements of durable '" + DURABLE + "'")
						.containsIgnoringCase("permissions violation for publish to \"$JS.ACK." + guarded.stream());
					assertThatStatusAndHealthQuote("$JS.ACK." + guarded.stream() + ".", begun, Status.DOWN,
							application);
				});
				assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
				assertThat(guarded.version(World.ACME, "a")).isEqualTo(3);
			}
		}
	}

	/** It would run, and never get an event. */
	@Test
	void refusesASubjectThatTheStreamStoresUnderAnother() {
		recreate(this::transformed);
		assertThatException().isThrownBy(() -> this.world.start(WorldApplication.of(new Accounts())))
			.havingCause()
			.withMessageContaining("stream '" + this.world.stream() + "' carries ")
			.withMessageContaining(this.world.root() + ".*.deposited as " + this.world.root() + "-stored.*.deposited");
	}

	@Test
	void readsTheSubjectUnderWhichTheStreamStores() {
		recreate(this::transformed);
		Transformed handlers = new Transformed();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(handlers))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void readsWhatAStreamHasFromItsSourcesBesideSubjectsOfItsOwn() {
		String origin = this.world.stream() + "-origin";
		this.world.jetStream((management) -> management.deleteStream(this.world.stream()));
		this.world.jetStream((management) -> management.addStream(
				StreamConfiguration.builder().name(origin).subjects(this.world.root() + ".*.deposited").build()));
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.world.stream())
			.subjects(this.world.root() + ".own.other")
			.addSource(Source.builder().sourceName(origin).build())
			.build()));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Sourced()).withoutStreams())) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(application.isActive()).isTrue();
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(origin));
		}
	}

	private static void assertThatStatusAndHealthQuote(String denied, Instant begun, Status status,
			AnnotationConfigApplicationContext application) {
		assertThatItQuotes(denied, begun, World.status(application, Accounts.PROJECTOR).detail());
		Health health = StruckThreads.health(application);
		assertThat(health.getStatus()).isEqualTo(status);
		assertThatItQuotes(denied, begun, health.getDetails().toString());
	}

	/** The time has whole seconds. */
	private static void assertThatItQuotes(String denied, Instant begun, String text) {
		Matcher violation = VIOLATION.matcher(text);
		assertThat(violation.find()).as("a violation with its time in: %s", text).isTrue();
		assertThat(violation.group(1)).startsWith(denied);
		assertThat(Instant.parse(violation.group(2))).isBetween(begun.truncatedTo(ChronoUnit.SECONDS), Instant.now());
	}

	/** What the log warns of the durable. */
	private static List<String> warnings(CapturedOutput output) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains(" WARN ") && line.contains("'" + DURABLE + "'"))
			.toList();
	}

	private static List<String> recreations(CapturedOutput output) {
		return warnings(output).stream().filter((line) -> line.contains("is gone; it is recreated after")).toList();
	}

	private StreamConfiguration.Builder transformed(StreamConfiguration.Builder stream) {
		return stream.subjectTransform(SubjectTransform.builder()
			.source(this.world.root() + ".*.deposited")
			.destination(this.world.root() + "-stored.{{wildcard(1)}}.deposited")
			.build());
	}

	private static WorldApplication stallingSoon() {
		return WorldApplication.of(new Accounts())
			.with(ProjectorSettings.builder().stalledAfter(Duration.ofSeconds(6)).build());
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts();
	}

	private void recreate(UnaryOperator<StreamConfiguration.Builder> changes) {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(changes.apply(
					StreamConfiguration.builder().name(this.world.stream()).subjects(List.of(this.world.root() + ".>")))
				.build());
		});
	}

	/** Names its stream, which has no such subject of its own. */
	static class Sourced {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", stream = "${root}",
				projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

	/** Listens to what the stream makes of the subject. */
	static class Transformed {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}-stored.{tenant}.deposited", stream = "${root}",
				projectorName = Accounts.PROJECTOR)
		public void on(Event<Deposited> event) {
			World.apply(this.jdbc, event.payload(), event.tenantId().value());
		}

	}

}
