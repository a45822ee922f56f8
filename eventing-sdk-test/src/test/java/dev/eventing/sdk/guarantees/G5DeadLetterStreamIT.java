package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.ForwarderStatus;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.fixture.SilentStreams;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.test.timing.Stopwatch;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every dead letter reaches the dead-letter stream, and no projector waits for that.
 */
@ExtendWith(OutputCaptureExtension.class)
class G5DeadLetterStreamIT {

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	@Test
	void publishesEachLetterWithItsPayloadAndWhatTheLedgerKnows() {
		this.world.deadLetterStream().create();
		try (AnnotationConfigApplicationContext application = start(new Accounts(G5DeadLetterStreamIT::refuse))) {
			UUID id = this.world.publish(this.world.deposit(World.ACME, "a", 1)).duplicate() ? null
					: awaitLetters(1).get(0).eventId();
			awaitForwarded(1);
			DeadLetter letter = this.world.deadLetters(Accounts.PROJECTOR).get(0);
			MessageInfo message = this.world.deadLetterStream().message(1);
			assertThat(message.getSubject()).isEqualTo("dlq." + this.world.stream() + ".accounts.acme");
			assertThat(message.getData()).isEqualTo(letter.event().payload());
			Headers headers = message.getHeaders();
			assertThat(headers.getFirst("ce-type")).isEqualTo("Deposited");
			assertThat(headers.getFirst("Nats-Msg-Id")).isEqualTo("dlq:" + letter.letterId() + ":" + letter.number());
			assertThat(header(headers, "Id")).isEqualTo(letter.letterId().toString());
			assertThat(header(headers, "Event-Id")).isEqualTo(String.valueOf(id));
			assertThat(header(headers, "Projector")).isEqualTo("accounts");
			assertThat(header(headers, "Tenant")).isEqualTo("acme");
			assertThat(header(headers, "Stream")).isEqualTo(this.world.stream());
			assertThat(header(headers, "Sequence")).isEqualTo(Long.toString(letter.place().sequence()));
			assertThat(header(headers, "Subject")).isEqualTo(this.world.root() + ".acme.deposited");
			assertThat(header(headers, "Reason")).isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(header(headers, "Attempts")).isEqualTo("3");
			assertThat(header(headers, "Error-Class")).isEqualTo(Accounts.Refused.class.getName());
			assertThat(header(headers, "Error-Message")).isEqualTo("refused%20by%20the%20test");
			assertThat(header(headers, "Dead-At")).isEqualTo(letter.deadAt().toString());
		}
	}

	@Test
	void letsProjectorsRunWhereNoStreamTakesLettersAndForwardsThemOnceOneDoes() {
		try (AnnotationConfigApplicationContext application = start(new Accounts(G5DeadLetterStreamIT::refuse))) {
			this.world.publish(World.ACME, "a", 1, 1);
			this.world.publish(World.ACME, "good", 1, 5);
			awaitLetters(1);
			await().until(() -> this.world.version(World.ACME, "good") == 5);
			await().until(() -> states(application).contains(ForwarderState.LEDGER_ONLY));
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			this.world.deadLetterStream().create();
			awaitForwarded(1);
			assertThat(this.world.deadLetterStream().messages()).isEqualTo(1);
			await().until(() -> states(application).contains(ForwarderState.FORWARDING));
		}
	}

	@Test
	void publishesAgainWhatACrashLeftUnrecordedAndTheStreamKeepsItOnce() {
		this.world.deadLetterStream().create();
		try (AnnotationConfigApplicationContext application = start(new Accounts(G5DeadLetterStreamIT::refuse))) {
			for (int account = 0; account < 250; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			awaitForwarded(250);
			assertThat(this.world.deadLetterStream().messages()).isEqualTo(250);
			this.world.jdbc().update("update eventing.dead_letters set forwarded_at = null");
			awaitForwarded(250);
			assertThat(this.world.deadLetterStream().messages()).isEqualTo(250);
		}
	}

	@Test
	void publishesALetterThatIsOpenedAgainOnceMore() {
		this.world.deadLetterStream().create();
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		try (AnnotationConfigApplicationContext application = start(new Accounts(G5DeadLetterStreamIT::refuse))) {
			this.world.publish(event);
			awaitForwarded(1);
			this.world.jdbc().update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
			await().until(() -> !this.world.publish(event).duplicate());
			await().until(() -> this.world.deadLetterStream().messages() == 2);
			awaitForwarded(1);
			String id = awaitLetters(1).get(0).letterId().toString();
			assertThat(this.world.deadLetterStream().letters()).containsExactly(id, id);
		}
	}

	@Test
	void leavesOutThePayloadThatIsTooLargeBesideItsHeaders() {
		this.world.deadLetterStream().create();
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "x".repeat(1_048_500));
			awaitForwarded(1);
			MessageInfo message = this.world.deadLetterStream().message(1);
			assertThat(message.getData()).isNullOrEmpty();
			assertThat(header(message.getHeaders(), "Payload-Omitted")).isEqualTo("1048500");
			assertThat(this.world.deadLetters(Accounts.PROJECTOR).get(0).event().payload()).hasSize(1_048_500);
		}
	}

	@Test
	void hasATokenForATenantThatIsNotKnown() {
		this.world.deadLetterStream().create();
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			this.wire.publish(this.world.root() + ".no!tenant.deposited", Map.of(), "{}");
			awaitForwarded(1);
			assertThat(this.world.deadLetterStream().message(1).getSubject())
				.isEqualTo("dlq." + this.world.stream() + ".accounts._");
		}
	}

	@Test
	void forwardsALetterWhoseHeadersHoldWhatNoHeaderMayAndThoseBehindItOnce() {
		this.world.deadLetterStream().create();
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "first");
			awaitForwarded(1);
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of("odd", "a\0b"), "second");
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "third");
			awaitForwarded(3);
			// they have no key, so either may come first
			Headers headers = Stream.of(2L, 3L)
				.map((sequence) -> this.world.deadLetterStream().message(sequence).getHeaders())
				.filter((each) -> each.getFirst("odd") != null)
				.findFirst()
				.orElseThrow();
			assertThat(headers.getFirst("odd")).isEqualTo("a%EF%BF%BDb");
			assertThat(header(headers, "Headers-Changed")).isEqualTo("1");
			assertThat(this.world.deadLetterStream().messages()).isEqualTo(3);
		}
	}

	@Test
	void recordsThatALetterCannotBeForwardedAndForwardsThoseBehindIt() {
		this.world.deadLetterStream().create(4000);
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of("large", "x".repeat(4000)), "first");
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "second");
			await().until(() -> this.world.deadLetterStream().messages() == 1);
			awaitForwarded(1);
			await().until(() -> this.world.count("select count(*) from eventing.dead_letters") == 2);
			UUID refused = this.world.jdbc()
				.queryForObject("select letter_id from eventing.dead_letters where forwarded_at is null", UUID.class);
			await().untilAsserted(
					() -> assertThat(this.world.operators().audit(refused)).singleElement().satisfies((entry) -> {
						assertThat(entry.action()).isEqualTo(DeadLetterAction.NOT_FORWARDED);
						assertThat(entry.detail()).contains("message size exceeds maximum allowed");
					}));
			await().until(() -> details(application).anyMatch((detail) -> detail.contains("but 1 refused"))
					&& states(application).contains(ForwarderState.FORWARDING));
		}
	}

	@Test
	void forwardsLettersThatAStreamTakesWhileNoneTakesThoseBeforeThem() {
		this.world.deadLetterStream().create("dlq." + this.world.root() + ".accounts.globex");
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "first");
			awaitLetters(1);
			this.wire.publish(this.world.root() + ".globex.deposited", Map.of(), "second");
			awaitForwarded(1);
			await().until(() -> states(application).contains(ForwarderState.NO_STREAM));
			assertThat(this.world.deadLetterStream().message(1).getSubject()).endsWith(".globex");
		}
	}

	@Test
	void forwardsLettersThatAStreamTakesHoweverManySubjectsBeforeThemNoneTakes() {
		this.world.deadLetterStream().create("dlq." + this.world.root() + ".accounts.globex");
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			for (int tenant = 0; tenant < 110; tenant++) {
				this.wire.publish(this.world.root() + ".tenant-" + tenant + ".deposited", Map.of(), "first");
			}
			awaitLetters(110);
			this.wire.publish(this.world.root() + ".globex.deposited", Map.of(), "second");
			awaitForwarded(1);
			assertThat(this.world.deadLetterStream().message(1).getSubject()).endsWith(".globex");
			await().until(() -> states(application).contains(ForwarderState.NO_STREAM));
		}
	}

	@Test
	void forwardsLettersThatAStreamTakesWhileAnotherHasNoRoomForThoseBeforeThem() {
		this.world.deadLetterStream().create("dlq." + this.world.root() + ".accounts.globex");
		String full = "full-" + this.world.root();
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(full)
			.subjects("dlq." + this.world.root() + ".accounts.acme")
			.maxMessages(1)
			.discardPolicy(DiscardPolicy.New)
			.storageType(StorageType.Memory)
			.build()));
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			for (int event = 0; event < 310; event++) {
				this.wire.publish(this.world.root() + ".acme.deposited", Map.of(), "first");
			}
			awaitLetters(310);
			this.wire.publish(this.world.root() + ".globex.deposited", Map.of(), "second");
			Stopwatch.time(() -> await().until(() -> this.world.deadLetterStream().messages() == 1))
				.assertWithin(Duration.ofSeconds(25));
			await().until(() -> details(application).anyMatch((detail) -> detail.contains("not confirmed")));
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(full));
		}
	}

	/**
	 * As one whose leader is away: the server answers no question about the stream that
	 * this client may not ask.
	 */
	@Test
	void forwardsLettersThatAStreamTakesWhileAnotherOfThoseBeforeThemDoesNotAnswer() {
		try (NatsServer nats = SilentStreams.on("silent");
				World asked = World.on(nats);
				Wire asking = new Wire(nats.url());
				AnnotationConfigApplicationContext application = asked.start(WorldApplication.of(new Accounts()))) {
			forwardOneOfTwo(asked, asking);
			assertThat(asked.deadLetterStream().message(1).getSubject()).endsWith(".globex");
			await().until(() -> Stream.of(application.getBean(DeadLetterForwarder.class), asked.forwarder())
				.map(DeadLetterForwarder::status)
				.anyMatch((status) -> status.state() == ForwarderState.WAITING_FOR_NATS
						&& status.detail().contains("'silent'")));
		}
	}

	@Test
	void forwardsLettersWhileAStreamOfOtherSubjectsThatIsDeclaredDoesNotAnswer() {
		try (NatsServer nats = SilentStreams.on("silent");
				World asked = World.on(nats);
				Wire asking = new Wire(nats.url());
				AnnotationConfigApplicationContext application = asked.start(WorldApplication.of(new Accounts())
					.customize((context) -> context.registerBean("silentSpec", StreamSpec.class,
							() -> new StreamSpec("silent", List.of("elsewhere.>"), 1, null))))) {
			assertThat(application.isRunning()).isTrue();
			asked.forwarder().stop();
			asked.deadLetterStream().create();
			asking.publish(asked.root() + ".globex.deposited", Map.of(), "second");
			await().until(() -> asked.deadLetterStream().messages() == 1);
		}
	}

	/** Nor is there a longer pause after each. */
	@Test
	void forwardsLettersOneAfterAnotherBesideManyStreamsThatDoNotAnswer() {
		String[] silent = IntStream.range(0, 10).mapToObj((number) -> "silent" + number).toArray(String[]::new);
		try (NatsServer nats = SilentStreams.on(silent);
				World asked = World.on(nats);
				Wire asking = new Wire(nats.url());
				AnnotationConfigApplicationContext application = asked.start(WorldApplication.of(new Accounts()))) {
			asked.forwarder().stop();
			for (String name : silent) {
				asked.jetStream((management) -> management.addStream(StreamConfiguration.builder()
					.name(name)
					.subjects("dlq." + asked.root() + ".accounts." + name)
					.storageType(StorageType.Memory)
					.build()));
			}
			asked.deadLetterStream().create("dlq." + asked.root() + ".accounts.globex");
			asking.publish(asked.root() + ".silent0.deposited", Map.of(), "first");
			DeadLetterForwarder forwarder = application.getBean(DeadLetterForwarder.class);
			await().until(() -> forwarder.status().state() == ForwarderState.WAITING_FOR_NATS);
			for (int letter = 1; letter <= 5; letter++) {
				int count = letter;
				asking.publish(asked.root() + ".globex.deposited", Map.of(), "letter");
				Stopwatch.time(() -> await().until(() -> asked.deadLetterStream().messages() == count))
					.assertWithin(Duration.ofSeconds(8));
			}
		}
	}

	/** As of one that is offline. */
	@Test
	void forwardsLettersThatAStreamTakesWhileAnotherAnswersWithAnError(CapturedOutput output) throws Exception {
		try (NatsServer nats = NatsServer.start(NatsServerBinary.find(), """
				mappings: { "$JS.API.STREAM.INFO.silent": "fake.info" }""");
				World asked = World.on(nats);
				Wire asking = new Wire(nats.url());
				Connection answering = Nats.connect(nats.url());
				AnnotationConfigApplicationContext application = asked.start(WorldApplication.of(new Accounts()))) {
			answering
				.createDispatcher(
						(message) -> answering
							.publish(message.getReplyTo(),
									"""
											{"type":"io.nats.jetstream.api.v1.stream_info_response",\
											"error":{"code":500,"err_code":10118,"description":"stream is offline"}}"""
										.getBytes(StandardCharsets.UTF_8)))
				.subscribe("fake.info");
			asked.forwarder().stop();
			forwardOneOfTwo(asked, asking);
			DeadLetterForwarder forwarder = application.getBean(DeadLetterForwarder.class);
			Callable<Boolean> waits = () -> {
				ForwarderStatus status = forwarder.status();
				return status.state() == ForwarderState.WAITING_FOR_NATS
						&& status.detail().contains("stream is offline");
			};
			await().until(waits);
			Steady.holds(Duration.ofSeconds(3), waits);
			assertThat(output.getOut()).doesNotContain("'dead-letter-forwarder' ended unexpectedly");
		}
	}

	/** The first letter belongs to stream {@code silent}, the second one is forwarded. */
	private static void forwardOneOfTwo(World asked, Wire asking) {
		asked.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name("silent")
			.subjects("dlq." + asked.root() + ".accounts.acme")
			.storageType(StorageType.Memory)
			.build()));
		asked.deadLetterStream().create("dlq." + asked.root() + ".accounts.globex");
		asking.publish(asked.root() + ".acme.deposited", Map.of(), "first");
		await().until(() -> asked.count("select count(*) from eventing.dead_letters") == 1);
		asking.publish(asked.root() + ".globex.deposited", Map.of(), "second");
		await().until(() -> asked.deadLetterStream().messages() == 1);
	}

	@Test
	void staysInTheLedgerOnlyIfAsked() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts())
			.customize((context) -> context.registerBean(DeadLetterStreamOptions.class,
					() -> new DeadLetterStreamOptions(false, false))))) {
			assertThat(application.getBeanProvider(DeadLetterForwarder.class).getIfAvailable()).isNull();
		}
	}

	private AnnotationConfigApplicationContext start(Object handler) {
		return this.world.start(WorldApplication.of(handler));
	}

	private static void refuse(Deposited event) {
		if (event.account().startsWith("a")) {
			throw new Accounts.Refused();
		}
	}

	/** All applications of this world, of which one forwards. */
	private List<ForwarderState> states(AnnotationConfigApplicationContext application) {
		return List.of(application.getBean(DeadLetterForwarder.class).status().state(),
				this.world.forwarder().status().state());
	}

	private Stream<String> details(AnnotationConfigApplicationContext application) {
		return Stream.of(application.getBean(DeadLetterForwarder.class).status().detail(),
				this.world.forwarder().status().detail());
	}

	private List<DeadLetter> awaitLetters(int count) {
		await().until(() -> this.world.count("select count(*) from eventing.dead_letters") == count);
		return this.world.deadLetters(Accounts.PROJECTOR);
	}

	private void awaitForwarded(int count) {
		await().until(() -> this.world
			.count("select count(*) from eventing.dead_letters where forwarded_at is not null") == count);
	}

	private static String header(Headers headers, String name) {
		return headers.getFirst("Eventing-Dead-Letter-" + name);
	}

}
