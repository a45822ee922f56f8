package dev.eventing.sdk.guarantees;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A dead letter whose texts the database refuses is written without them, so that the
 * events of its key do not stand for ever.
 */
class RefusedTextsIT {

	private static final String EMOJI = "\uD83D\uDE00";

	static final String REFUSED = "The database refused a text (SQL state ";

	private static final ProjectorSettings TWO_ATTEMPTS = ProjectorSettings.builder().maxDeliver(2).build();

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final Wire wire = new Wire(this.world.natsUrl());

	/** It is refused at start, unless the start is not to look at the schema. */
	@Test
	void theKeyOfALetterThatADatabaseInLatin1CannotStoreGoesOn() {
		String url = database("LATIN1");
		String root = "latin" + UUID.randomUUID().toString().substring(0, 8);
		Emotional handlers = new Emotional();
		try (AnnotationConfigApplicationContext application = WorldApplication.of(handlers)
			.with(TWO_ATTEMPTS)
			.schema(SchemaMode.NONE)
			.connectionTimeout(World.PATIENT)
			.start(this.world.natsUrl(), url, root)) {
			application.getBean(Streams.class).declareAll();
			publish(application, root, "bad" + EMOJI, 1);
			publish(application, root, "bad" + EMOJI, 2);
			publish(application, root, "good" + EMOJI, 1);
			DeadLetters letters = application.getBean(DeadLetters.class);
			await().untilAsserted(() -> assertThat(all(letters)).extracting(DeadLetter::reason)
				.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND"));
			assertThat(all(letters)).extracting((letter) -> String.valueOf(letter.failure().message()))
				.allSatisfy((message) -> assertThat(message).startsWith(REFUSED + "22P05"));
			assertThat(all(letters)).extracting((letter) -> letter.failure().errorClass())
				.containsExactly(IllegalStateException.class.getName(), "TextsChanged");
			assertThat(all(letters)).extracting(DeadLetter::orderingKey).containsOnly("bad%F0%9F%98%80");
			await().untilAsserted(() -> assertThat(handlers.seen).containsExactly("good" + EMOJI + 1));

			redrive(letters);
			await().untilAsserted(() -> assertThat(all(letters)).extracting(DeadLetter::reason)
				.containsExactly("REDRIVE_FAILED", "BEHIND"));
			assertThat(all(letters).get(0).failure().message()).startsWith(REFUSED + "22P05");

			handlers.moved.set(false);
			redrive(letters);
			await().untilAsserted(() -> assertThat(handlers.seen).containsExactly("good" + EMOJI + 1, "bad" + EMOJI + 1,
					"bad" + EMOJI + 2));
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(root));
			TestServers.postgres().dropDatabase(url);
		}
	}

	/** Such as one that an operator made to search the messages. */
	@Test
	void aMessageThatIsTooLongForAnIndexIsLeftOut() {
		byte[] random = new byte[2000];
		new Random(1).nextBytes(random);
		String message = HexFormat.of().formatHex(random);
		this.world.jdbc().execute("create index messages on eventing.dead_letters (error_message)");
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("bad")) {
				throw new IllegalStateException(message);
			}
		});
		// a batch that fails runs again, each event by itself
		ProjectorSettings alone = TWO_ATTEMPTS.toBuilder().batchSize(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(alone))) {
			this.world.publish(World.ACME, "bad", 1, 2);
			this.world.publish(World.ACME, "good", 1, 1);
			await().untilAsserted(
					() -> assertThat(all(application.getBean(DeadLetters.class))).extracting(DeadLetter::reason)
						.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND"));
			Failure failure = all(application.getBean(DeadLetters.class)).get(0).failure();
			assertThat(failure.errorClass()).isEqualTo(IllegalStateException.class.getName());
			assertThat(failure.message()).startsWith(REFUSED + "54000)");
			assertThat(failure.stackTrace()).isNull();
			await().until(() -> this.world.version(World.ACME, "good") == 1);
			assertThat(accounts.calledVersions("bad")).containsExactly(1L, 1L);
		}
	}

	@Test
	void charactersThatNoDatabaseStoresAreReplacedAndTheRestOfTheTextIsKept() {
		Accounts accounts = new Accounts((event) -> {
			throw new IllegalStateException("a\u0000b\uD83Dc" + EMOJI);
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(TWO_ATTEMPTS))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().untilAsserted(() -> assertThat(all(application.getBean(DeadLetters.class))).singleElement()
				.satisfies((letter) -> assertThat(letter.failure().message()).isEqualTo("a\uFFFDb?c" + EMOJI)));
		}
	}

	/** The text of a key that was read back would be another key. */
	@Test
	void keysWithHalvesOfSurrogatePairsAreParkedApartAndAfterARestartToo() {
		ProjectorSettings byAccount = TWO_ATTEMPTS.toBuilder().key("payload.account").build();
		Accounts refusing = new Accounts((event) -> {
			if (event.account().endsWith("\uD83D")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(refusing).with(byAccount))) {
			publish("\\ud83d", 1);
			publish("\\ud83e", 1);
			await().untilAsserted(() -> assertThat(all(application.getBean(DeadLetters.class))).hasSize(1));
			await().until(() -> refusing.calledVersions("a\uD83E").equals(List.of(1L)));
		}
		Accounts restarted = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(restarted).with(byAccount))) {
			publish("\\ud83d", 2);
			publish("\\ud83e", 2);
			await().untilAsserted(
					() -> assertThat(all(application.getBean(DeadLetters.class))).extracting(DeadLetter::reason)
						.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND"));
			await().until(() -> restarted.calledVersions("a\uD83E").equals(List.of(2L)));
			assertThat(restarted.calledVersions("a\uD83D")).isEmpty();
		}
	}

	private void publish(String escaped, long version) {
		this.wire.publish(this.world.root() + ".acme.deposited",
				G5DeadLetterIT.headers(Map.of("ce-subject", "s" + UUID.randomUUID())),
				"{\"account\":\"a%s\",\"version\":%d,\"amount\":1}".formatted(escaped, version));
	}

	private static void publish(AnnotationConfigApplicationContext application, String root, String account,
			long version) {
		application.getBean(EventPublisher.class)
			.publish(root + ".{tenant}.deposited",
					Event.builder(World.ACME, new Deposited(account, version, version)).streamId(account).build());
	}

	/** Oldest first. */
	static List<DeadLetter> all(DeadLetters letters) {
		List<DeadLetter> all = new CopyOnWriteArrayList<>();
		letters.forEach(DeadLetterFilter.ALL, all::add);
		return all;
	}

	private static void redrive(DeadLetters letters) {
		letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
	}

	/** A database in this encoding with the tables of the SDK. */
	static String database(String encoding) {
		String name = "encoded_" + UUID.randomUUID().toString().substring(0, 8);
		new JdbcTemplate(TestServers.postgres().dataSource(TestServers.postgres().jdbcUrl())).execute("create database "
				+ name + " encoding '" + encoding + "' lc_collate 'C' lc_ctype 'C' template template0");
		String url = TestServers.postgres().jdbcUrl().replaceFirst("/[^/?]*([?]|$)", "/" + name + "$1");
		new JdbcTemplate(TestServers.postgres().dataSource(url)).execute(EventingMigrations.sql("eventing"));
		return url;
	}

	/** Refuses one key, with an error that shows what it feels. */
	static class Emotional {

		private final AtomicBoolean moved = new AtomicBoolean(true);

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = Accounts.PROJECTOR,
				retryDelay = 50)
		void on(Deposited event) {
			if (event.account().startsWith("bad") && this.moved.get()) {
				throw new IllegalStateException("not now " + EMOJI);
			}
			this.seen.add(event.account() + event.version());
		}

	}

}
