package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.test.server.RawPublisher;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G5: a message with unreadable headers costs a dead letter each, and the connection does
 * not notice.
 */
class G5HostileHeadersIT {

	private static final String GOOD = "NATS/1.0\r\nce-id:%s\r\nce-type:Deposited\r\nce-tenantid:acme\r\n%s\r\n";

	private static final String JSON = "{\"account\":\"x\",\"version\":1,\"amount\":1}";

	private static final List<String> BLOCKS = List.of(good("\u00c3\u00a9:a\r\n"), good("a b:c\r\n"),
			good("a:b\nc:d\r\n"), good("ab\r\n"), good(":b\r\n"), good(" folded\r\n"),
			good("a:b\r\n").replaceAll("\r\n\r\n$", ""), good("").substring(8), "garbage",
			good("a" + "\u00ff".repeat(65_000) + "\r\n"));

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final RawPublisher raw = new RawPublisher(this.world.natsUrl());

	@Test
	void costADeadLetterEachAndNobodyElseNotices() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			NatsClient client = application.getBean(NatsClient.class);
			long generation = client.generation();
			for (int i = 0; i < BLOCKS.size(); i++) {
				this.raw.publish(subject(), BLOCKS.get(i), JSON + i);
				this.world.publish(World.ACME, "a", i + 2, i + 2);
			}
			await().until(() -> this.world.version(World.ACME, "a") == BLOCKS.size() + 1);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(client.generation()).as("one connection all along").isEqualTo(generation);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			List<DeadLetter> letters = this.world.deadLetters(Accounts.PROJECTOR);
			assertThat(letters).hasSize(BLOCKS.size());
			assertThat(letters).extracting((letter) -> letter.place().sequence())
				.containsExactlyInAnyOrderElementsOf(
						LongStream.range(0, BLOCKS.size()).mapToObj((i) -> 2 + 2 * i).toList());
			assertThat(letters).allSatisfy(this::keepsItsBytes);
		}
	}

	/** As publishers in other languages write names. */
	@Test
	void costNoEventForAValueBeyondAscii() {
		String json = "{\"account\":\"x\",\"version\":%d,\"amount\":1}";
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			List<String> further = List.of("X-User:Jos\u00e9\r\n", "X-User:Jos\u00c3\u00a9\r\n",
					"ce-source:/caf\u00c3\u00a9\r\n", "a:" + "\u00ff".repeat(65_000) + "\r\n");
			for (int i = 0; i < further.size(); i++) {
				this.raw.publish(subject(), good("ce-subject:x\r\n" + further.get(i)), json.formatted(i + 1));
			}
			await().until(() -> this.world.version(World.ACME, "x") == further.size());
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(application.getBean(NatsClient.class).generation()).isEqualTo(1);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	@Test
	void takeNothingFromAnEventWhoseSubjectIsLongerThanTheClientTakes() {
		String subject = this.world.root() + ".acme.deposited." + "s".repeat(4020);
		LongSubjects handler = new LongSubjects();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(handler))) {
			this.raw.publish(subject, good("ce-subject:a\r\n"), JSON);
			this.raw.publish(subject() + ".x", good("ce-subject:a\r\n"), JSON);
			await().until(() -> handler.events.size() == 2);
			await().until(() -> this.world.unsettled("long") == 0);
			assertThat(application.getBean(NatsClient.class).generation()).isEqualTo(1);
		}
	}

	private void keepsItsBytes(DeadLetter letter) {
		int index = (int) (letter.place().sequence() - 2) / 2;
		assertThat(letter.reason()).isEqualTo("UNREADABLE:INVALID_HEADER");
		assertThat(letter.place().stream()).isEqualTo(this.world.stream());
		assertThat(letter.event().subject()).isEqualTo(subject());
		assertThat(letter.event().payload()).asString().isEqualTo(JSON + index);
		assertThat(Base64.getDecoder().decode(letter.event().headers().first(EventHeaders.MALFORMED)))
			.isEqualTo(BLOCKS.get(index).getBytes(StandardCharsets.ISO_8859_1));
		assertThat(letter.failure()).isNotNull();
		assertThat(letter.failure().message()).contains("headers cannot be read", "Consider");
	}

	private String subject() {
		return this.world.root() + ".acme.deposited";
	}

	private static String good(String further) {
		return GOOD.formatted(UUID.randomUUID(), further);
	}

	static class LongSubjects {

		private final List<Deposited> events = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited.>", projectorName = "long")
		public void on(Deposited event) {
			this.events.add(event);
		}

	}

}
