package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.Advisories;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Connection;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * G5: an event that JetStream will not deliver again, because somebody else terminated it
 * or a limit of deliveries is used up, becomes a letter too.
 */
@ExtendWith(OutputCaptureExtension.class)
class G5AdvisoriesIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void deleteAdvisories() {
		String advisories = this.world.stream() + "-" + DURABLE;
		this.world.jetStream((management) -> management.deleteConsumer(Advisories.STREAM, advisories));
	}

	@Test
	void keepsAnEventThatSomebodyElseTerminates() {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			pause(application);
			this.world.publish(World.ACME, "a", 1, 1);
			takeByHand((message) -> settle(message, "+TERM lost in thought"));
			await().until(() -> letters().size() == 1);
			DeadLetter letter = letters().get(0);
			assertThat(letter.reason()).isEqualTo("TERMINATED");
			assertThat(letter.failure()).isNotNull();
			assertThat(letter.failure().message()).endsWith("lost in thought");
			assertThat(letter.event().headers().first("ce-type")).isEqualTo("Deposited");
			assertThat(letter.tenantId()).isEqualTo(World.ACME);
			awaitAllAdvisoriesSettled();
		}
	}

	@Test
	void keepsAnEventWhoseAdvisoryComesWithoutItsBody() {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			pause(application);
			String advisories = this.world.stream() + "-" + DURABLE;
			this.world.jetStream((management) -> management.addOrUpdateConsumer(Advisories.STREAM,
					ConsumerConfiguration
						.builder(management.getConsumerInfo(Advisories.STREAM, advisories).getConsumerConfiguration())
						.headersOnly(true)
						.build()));
			this.world.publish(World.ACME, "a", 1, 1);
			takeByHand((message) -> settle(message, "+TERM lost in thought"));
			await().until(() -> letters().size() == 1);
			assertThat(letters().get(0).reason()).isEqualTo("TERMINATED");
			awaitAllAdvisoriesSettled();
		}
	}

	@Test
	void keepsAnEventWhoseDeliveriesAreUsedUp() {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			pause(application);
			this.world.publish(World.ACME, "a", 1, 1);
			this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
					ConsumerConfiguration
						.builder(management.getConsumerInfo(this.world.stream(), DURABLE).getConsumerConfiguration())
						.maxDeliver(1)
						.ackWait(Duration.ofSeconds(1))
						.build()));
			takeByHand((message) -> {
			});
			await().until(() -> letters().size() == 1);
			assertThat(letters().get(0).reason()).isEqualTo("MAX_DELIVERIES");
			awaitAllAdvisoriesSettled();
		}
	}

	@Test
	void makesNothingOfWhatTheProjectorTerminatedOrAppliedItself() {
		Accounts accounts = new Accounts((event) -> {
			if (event.account().startsWith("bad")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			for (int account = 0; account < 20; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 1);
			}
			await().until(() -> letters().size() == 20);
			pause(application);
			this.world.publish(World.ACME, "good", 1, 1);
			String id = this.world.stream();
			this.world.jdbc().update("""
					insert into eventing.processed_events (projector_name, event_id, tenant_id)
					values (?, ?::uuid, 'acme')""", Accounts.PROJECTOR, lastEventId(id));
			takeByHand((message) -> settle(message, "+TERM after it was applied"));
			awaitAdvisories(21);
			awaitAllAdvisoriesSettled();
			assertThat(letters()).hasSize(20).allMatch((letter) -> letter.reason().equals("ATTEMPTS_EXHAUSTED"));
		}
	}

	/** As after its row in processed_events was deleted by hand. */
	@Test
	void opensTheClosedLetterOfAnEventThatSomebodyElseTerminatesAndThatIsNotApplied() {
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		Accounts refusing = new Accounts((given) -> {
			throw new Accounts.Refused();
		});
		try (AnnotationConfigApplicationContext application = start(refusing)) {
			this.world.publish(event);
			await().until(() -> letters().size() == 1);
			pause(application);
			awaitAdvisories(1);
			awaitAllAdvisoriesSettled();
			this.world.jdbc().update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
			await().until(() -> !this.world.publish(event).duplicate());
			takeByHand((message) -> settle(message, "+TERM lost in thought"));
			awaitAdvisories(2);
			awaitAllAdvisoriesSettled();
			assertThat(letters()).singleElement()
				.extracting(DeadLetter::reason, DeadLetter::status)
				.containsExactly("TERMINATED", DeadLetterStatus.PARKED);
		}
	}

	/** It hears of its own termination, and cannot tell which event that was. */
	@Test
	void makesOneLetterOfAnEventThatCannotBeReadThoughItHearsThatItIsGivenUp(CapturedOutput output) {
		try (Wire wire = new Wire(this.world.natsUrl());
				AnnotationConfigApplicationContext application = start(new Accounts())) {
			awaitCapture();
			wire.publish(this.world.root() + ".acme.deposited", Map.of(), "no json");
			await().until(() -> letters().size() == 1);
			awaitAdvisories(1);
			awaitAllAdvisoriesSettled();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isEqualTo(1);
			assertThat(output.getOut().split("'accounts' gives up", -1)).hasSize(2);
		}
	}

	/** As after its durable was deleted: then they all come again. */
	@Test
	void opensNoLetterOfAnEventThatWasMendedAndAppliedWhenItsAdvisoryComesAgain() {
		try (Wire wire = new Wire(this.world.natsUrl());
				AnnotationConfigApplicationContext application = start(new Accounts())) {
			assertThat(application.isActive()).isTrue();
			awaitCapture();
			UUID id = UUID.randomUUID();
			wire.publish(this.world.root() + ".acme.deposited", Map.of("Content-Type", "application/cloudevents+json"),
					structured(id, "globex"));
			await().until(() -> letters().size() == 1);
			awaitAdvisories(1);
			awaitAllAdvisoriesSettled();
			this.world.operators()
				.edit(letters().get(0).letterId(), structured(id, "acme").getBytes(StandardCharsets.UTF_8), "ops",
						"another tenant");
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "ops"));
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.jetStream(
					(management) -> management.deleteConsumer(Advisories.STREAM, this.world.stream() + "-" + DURABLE));
			awaitCapture();
			awaitAdvisories(1);
			awaitAllAdvisoriesSettled();
			assertThat(letters()).extracting(DeadLetter::status).containsExactly(DeadLetterStatus.RESOLVED);
		}
	}

	private static String structured(UUID id, String tenant) {
		return """
				{"specversion":"1.0","id":"%s","type":"Deposited","source":"test","subject":"a","tenantid":"%s",
				 "data":{"account":"a","version":1,"amount":1}}""".formatted(id, tenant);
	}

	@Test
	void goesOnWhereTheStreamDoesNotHoldTheEventAnyMore() {
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			pause(application);
			this.world.publish(World.ACME, "a", 1, 2);
			takeByHand((message) -> {
				this.world.jetStream((management) -> management.deleteMessage(this.world.stream(),
						message.metaData().streamSequence()));
				settle(message, "+TERM deleted");
			});
			takeByHand((message) -> settle(message, "+TERM kept"));
			await().until(() -> letters().size() == 1);
			assertThat(letters().get(0).place().sequence()).isEqualTo(2);
			awaitAllAdvisoriesSettled();
		}
	}

	@Test
	void showsThatTheDurableOfTheAdvisoriesIsPausedUntilItIsNot(CapturedOutput output) {
		String advisories = this.world.stream() + "-" + DURABLE;
		String unread = "cannot read which events JetStream gives up: its durable '" + advisories
				+ "' is paused on the server until ";
		ZonedDateTime until = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).truncatedTo(ChronoUnit.SECONDS);
		try (AnnotationConfigApplicationContext application = start(new Accounts())) {
			pause(application);
			assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
			this.world.jetStream((management) -> management.pauseConsumer(Advisories.STREAM, advisories, until));
			this.world.publish(World.ACME, "a", 1, 1);
			takeByHand((message) -> settle(message, "+TERM lost in thought"));
			await().untilAsserted(() -> assertThat(detail(application)).contains("; it " + unread + until.toInstant()));
			assertThat(letters()).isEmpty();
			this.world.jetStream((management) -> management.resumeConsumer(Advisories.STREAM, advisories));
			await().until(() -> letters().size() == 1);
			await().untilAsserted(() -> assertThat(detail(application)).doesNotContain("cannot read which events"));
			assertThat(output.getOut()).containsOnlyOnce("Projector 'accounts' " + unread);
			assertThat(output.getOut()).contains("Projector 'accounts' reads again which events JetStream gives up.");
		}
	}

	/** The server offers what it was at again, but not soon. */
	@Test
	void goesOnWithLaterEventsAfterAnErrorOfItsThread() {
		HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
		FaultyDataSource database = new FaultyDataSource(pool);
		try (pool;
				AnnotationConfigApplicationContext application = start(new Accounts(),
						(context) -> FaultyDataSource.install(context, database))) {
			pause(application);
			FaultyDataSource.Fault fault = database.failFor(Accounts.PROJECTOR + "-advisories", 2,
					new OutOfMemoryError("of the test"));
			for (int strike = 1; strike <= 2; strike++) {
				int strikes = strike;
				this.world.publish(World.ACME, "a", strike, strike);
				takeByHand((message) -> settle(message, "+TERM to strike"));
				await().until(() -> fault.thrownTimes().get() == strikes);
			}
			this.world.publish(World.ACME, "a", 3, 3);
			takeByHand((message) -> settle(message, "+TERM afterwards"));
			await().until(() -> letters().size() == 1);
			assertThat(letters().get(0).place().sequence()).isEqualTo(3);
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts) {
		return start(accounts, (context) -> {
		});
	}

	private AnnotationConfigApplicationContext start(Accounts accounts,
			Consumer<AnnotationConfigApplicationContext> change) {
		return this.world.start(WorldApplication.of(accounts)
			.customize(change)
			.customize((context) -> context.registerBean(DeadLetterStreamOptions.class,
					() -> new DeadLetterStreamOptions(true, true))));
	}

	/**
	 * Until the advisories can be heard and no request for deliveries is open any more.
	 */
	private void pause(AnnotationConfigApplicationContext application) {
		awaitCapture();
		application.getBean(ProjectorRegistry.class).pause(Accounts.PROJECTOR);
		await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.PAUSED);
		await().until(() -> this.world
			.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE).getNumWaiting()) == 0);
	}

	private static String detail(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).detail();
	}

	private void awaitCapture() {
		await().until(() -> this.world.jetStream((management) -> management.getStreamNames().contains(Advisories.STREAM)
				&& management.getConsumerNames(Advisories.STREAM).contains(this.world.stream() + "-" + DURABLE)));
	}

	private void takeByHand(Consumer<Message> settlement) {
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			JetStreamSubscription subscription = connection.jetStream()
				.subscribe(null, PullSubscribeOptions.bind(this.world.stream(), DURABLE));
			List<Message> messages = subscription.fetch(1, Patience.LONG);
			assertThat(messages).hasSize(1);
			settlement.accept(messages.get(0));
			connection.flush(Patience.LONG);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void settle(Message message, String how) {
		message.getConnection().publish(message.getReplyTo(), how.getBytes(StandardCharsets.UTF_8));
	}

	private String lastEventId(String stream) {
		return this.world.jetStream((management) -> {
			long last = management.getStreamInfo(stream).getStreamState().getLastSequence();
			return String.valueOf(management.getMessage(stream, last).getHeaders().getFirst("ce-id"));
		});
	}

	private List<DeadLetter> letters() {
		return this.world.deadLetters(Accounts.PROJECTOR);
	}

	private void awaitAdvisories(long count) {
		await().until(() -> advisories().getDelivered().getConsumerSequence() >= count);
	}

	private void awaitAllAdvisoriesSettled() {
		await().until(() -> advisories().getNumPending() == 0 && advisories().getNumAckPending() == 0);
	}

	private ConsumerInfo advisories() {
		return this.world.jetStream(
				(management) -> management.getConsumerInfo(Advisories.STREAM, this.world.stream() + "-" + DURABLE));
	}

}
