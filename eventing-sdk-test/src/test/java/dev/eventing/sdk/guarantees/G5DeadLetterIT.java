package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G5: an event that cannot be handled ends as a dead letter with its payload, headers,
 * error and attempts; it is never dropped, and the rest flows on.
 */
class G5DeadLetterIT {

	private static final String JSON = "{\"account\":\"a\",\"version\":1,\"amount\":1}";

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	/** As the third process finds it: the second one died in its only attempt. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void saysOnceThatAnEventIsADeadLetterThatEndedItsProcesses(CapturedOutput output) {
		long position = this.world.append(World.ACME, "a", 1, 1).lastPosition();
		this.world.begun(Accounts.PROJECTOR, 0, position);
		this.world.jdbc().update("""
				insert into eventing.projector_attempts
				select ?, tenant_id, event_id, null, 1, now(), now() from eventing.events""", Accounts.PROJECTOR);
		Accounts accounts = new Accounts();
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).source(Source.EVENT_STORE).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(once))) {
			await().until(() -> counts(application).deadLetters() == 1);
			assertThat(accounts.calls).isEmpty();
			await()
				.untilAsserted(() -> assertThat(output.getOut().split("'accounts' gives up event .* PROCESS_DIED", -1))
					.hasSize(2));
		}
	}

	@Test
	void keepsAnEventThatIsNotJson() {
		DeadLetter letter = theLetterOf(headers(Map.of()), "not { json");
		assertThat(letter.reason()).isEqualTo("UNREADABLE:PAYLOAD");
		assertThat(letter.event().payload()).asString().isEqualTo("not { json");
		assertThat(letter.event().headers().first("ce-type")).isEqualTo("Deposited");
		assertThat(letter.failure()).isNotNull();
		assertThat(letter.failure().message()).doesNotContain("not { json");
	}

	@Test
	void keepsAnEventOfTheWrongShape() {
		DeadLetter letter = theLetterOf(headers(Map.of()), "{\"account\":{},\"version\":\"x\"}");
		assertThat(letter.reason()).isEqualTo("UNREADABLE:PAYLOAD");
		assertThat(letter.tenantId()).isEqualTo(World.ACME);
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void keepsAnEventThatItsStreamDropsWhileItWaitsForARetry(Ordering ordering) {
		this.world.jetStream((management) -> management
			.updateStream(StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
				.maxAge(Duration.ofSeconds(1))
				.build()));
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(3)
			.ordering(ordering)
			.retryDelay(Duration.ofMillis(1500))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(1500))
			.build();
		Accounts refusing = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(refusing).with(patient))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR).get(0).attempts()).isEqualTo(3);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR).get(0).event().payload()).isNotEmpty();
			await("the stream drops it").until(() -> this.world.<Long>jetStream(
					(management) -> management.getStreamInfo(this.world.stream()).getStreamState().getMsgCount()) == 0);
		}
	}

	@Test
	void keepsAnEventWithoutAnId() {
		DeadLetter letter = theLetterOf(headers(Map.of("ce-id", "")), JSON);
		assertThat(letter.reason()).isEqualTo("UNREADABLE:NO_ID");
		assertThat(letter.attempts()).isZero();
	}

	@Test
	void keepsAnEnvelopeWithoutTypeAndOneThatIsNoObject() {
		assertThat(theLetterOf(Map.of(), "{\"eventId\":\"" + UUID.randomUUID() + "\",\"payload\":{}}").reason())
			.isEqualTo("UNREADABLE:NO_TYPE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"eventId\":\"%s\",\"tenantId\":\"acme\",\"payload\":{}}",
			"{\"eventId\":\"%s\",\"eventType\":\"Deposited\",\"tenantId\":\"acme\",\"payload\":{\"account\":{}}}" })
	void makesNoLetterOfAnAppliedEventThatComesAgainAndCannotBeRead(String copy) {
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(event);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.wire.publish(subject(), Map.of(), copy.formatted(event.id()));
			await().until(() -> counts(application).duplicates() + counts(application).deadLetters() == 1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			awaitAllSettled();
		}
	}

	@Test
	void keepsALetterWithoutATenantClosedWhenItsEventComesAgain() {
		UUID id = UUID.randomUUID();
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("first") && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(1000) // what waits does not become a letter meanwhile
			.retryDelay(Duration.ofSeconds(3))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofSeconds(3))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(patient))) {
			this.world.publish(World.ACME, "first", 1, 1);
			await().until(() -> accounts.calls.size() == 1);
			this.wire.publish(subject(), Map.of(), envelope(id, "globex"));
			await().until(() -> counts(application).deadLetters() == 1);
			DeadLetters letters = this.world.operators();
			letters.edit(this.world.deadLetters(Accounts.PROJECTOR).get(0).letterId(),
					envelope(id, "acme").getBytes(StandardCharsets.UTF_8), "test", "the wrong tenant");
			letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, "test"));
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
		broken.set(false);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(patient))) {
			await().until(() -> this.world.version(World.ACME, "first") == 1);
			awaitAllSettled();
			assertThat(counts(application).duplicates()).isEqualTo(1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::status)
				.isEqualTo(DeadLetterStatus.RESOLVED);
		}
	}

	private static String envelope(UUID id, String tenant) {
		return "{\"eventId\":\"%s\",\"eventType\":\"Deposited\",\"tenantId\":\"%s\",\"payload\":%s}".formatted(id,
				tenant, JSON);
	}

	@Test
	void keepsAnEventWhoseTypeNobodyTakesIfAsked() {
		ProjectorSettings asked = ProjectorSettings.builder().unknownType(UnknownTypePolicy.DEAD_LETTER).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(asked))) {
			this.wire.publish(subject(), headers(Map.of("ce-type", "Withdrawn")), JSON);
			await().until(() -> counts(application).deadLetters() == 1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason, DeadLetter::eventType)
				.containsExactly("UNKNOWN_TYPE", "Withdrawn");
		}
	}

	@Test
	void skipsAndCountsATypeNobodyTakesByDefault() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.wire.publish(subject(), headers(Map.of("ce-type", "Withdrawn")), JSON);
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			await().untilAsserted(() -> assertThat(counts(application).skipped()).isEqualTo(1));
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			awaitAllSettled();
		}
	}

	@Test
	void keepsAnEventWhoseHandlerAlwaysThrowsAfterMaxDeliverAttempts() {
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("bad")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().until(() -> counts(application).deadLetters() == 1);
			DeadLetter letter = this.world.deadLetters(Accounts.PROJECTOR).get(0);
			assertThat(letter.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(letter.attempts()).isEqualTo(3);
			assertThat(accounts.calls).hasSize(3);
			assertThat(letter.failure().errorClass()).isEqualTo(Accounts.Refused.class.getName());
			assertThat(letter.failure().stackTrace()).contains("Accounts");
			assertThat(letter.orderingKey()).isEqualTo("bad");
			assertThat(letter.cause().firstFailedAt()).isBefore(letter.deadAt());
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
			awaitAllSettled();
		}
	}

	@Test
	void keepsAnEventOfANonRetryableErrorAtOnce() {
		Accounts accounts = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		ProjectorSettings noRetry = ProjectorSettings.builder()
			.maxDeliver(5)
			.noRetryFor(java.util.Set.of(Accounts.Refused.class))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(noRetry))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().until(() -> counts(application).deadLetters() == 1);
			assertThat(accounts.calls).hasSize(1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR).get(0).reason()).isEqualTo("NOT_RETRYABLE");
		}
	}

	@Test
	void runsNoHandlerForADeadEventThatIsDeliveredOrPublishedAgain() {
		Accounts accounts = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		var event = this.world.deposit(World.ACME, "bad", 1);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(event);
			await().until(() -> counts(application).deadLetters() == 1);
			await().until(() -> {
				this.world.publish(event);
				return counts(application).duplicates() >= 1;
			});
			assertThat(accounts.calls).hasSize(3);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).hasSize(1);
		}
	}

	@Test
	void appliesTheRestAmongHundredsOfBadEvents() {
		List<String> bodies = List.of("", "null", "[]", "{", "\"text\"", "{\"version\":1e999999}", "\u0000");
		for (int i = 0; i < 140; i++) {
			this.wire.publish(subject(), headers(Map.of("ce-subject", "bad" + i)), bodies.get(i % bodies.size()));
			this.world.publish(World.ACME, "good", i + 1, i + 1);
		}
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			await().until(() -> this.world.version(World.ACME, "good") == 140);
			await().untilAsserted(() -> assertThat(counts(application).deadLetters()).isEqualTo(140));
			assertThat(this.world.operators().count(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR)))
				.isEqualTo(140);
			awaitAllSettled();
		}
	}

	private DeadLetter theLetterOf(Map<String, String> headers, String body) {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.wire.publish(subject(), headers, body);
			this.world.publish(World.ACME, "other", 1, 1);
			await().until(() -> counts(application).deadLetters() == 1);
			await().until(() -> this.world.version(World.ACME, "other") == 1);
			awaitAllSettled();
			return this.world.deadLetters(Accounts.PROJECTOR).get(0);
		}
	}

	private void awaitAllSettled() {
		await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts();
	}

	private String subject() {
		return this.world.root() + ".acme.deposited";
	}

	/** The headers of a good event, but for these; an empty one is left out. */
	static Map<String, String> headers(Map<String, String> changes) {
		Map<String, String> headers = new java.util.HashMap<>(
				Map.of("ce-specversion", "1.0", "ce-id", UUID.randomUUID().toString(), "ce-type", "Deposited",
						"ce-source", "test", "ce-subject", "a", "ce-tenantid", "acme"));
		headers.putAll(changes);
		headers.values().removeIf(String::isEmpty);
		return headers;
	}

}
