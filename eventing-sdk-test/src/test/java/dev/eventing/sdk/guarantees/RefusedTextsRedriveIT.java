package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A letter whose texts the database refused is redriven as any other: the handler is
 * found by a subject with letters outside ASCII, and the letter is resolved.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusedTextsRedriveIT {

	private static final ProjectorSettings ONE_ATTEMPT = ProjectorSettings.builder().maxDeliver(1).build();

	@AutoClose
	private final World world = World.create();

	private final String root = "redriven" + UUID.randomUUID().toString().substring(0, 8);

	/** The encoding has the letters of subject and key, but not the error's. */
	@Test
	void resolvesALetterWhoseSubjectAndKeyHaveUmlauts() {
		redrives("LATIN1", "er\u00f6ffnet", "m\u00fcller", "\u30a8\u30e9\u30fc", new Opening());
	}

	/** The encoding has no umlauts. */
	@Test
	void resolvesALetterWhoseErrorHasUmlauts() {
		redrives("KOI8R", "opened", "miller", "\u00fcberf\u00fcllt", new Plain());
	}

	private void redrives(String encoding, String token, String account, String error, Failing handlers) {
		handlers.error = error;
		String url = RefusedTextsIT.database(encoding);
		try (AnnotationConfigApplicationContext application = WorldApplication.of(handlers)
			.with(ONE_ATTEMPT)
			.schema(SchemaMode.NONE)
			.connectionTimeout(World.PATIENT)
			.start(this.world.natsUrl(), url, this.root)) {
			application.getBean(Streams.class).declareAll();
			publish(application, token, account, 1);
			publish(application, token, account, 2);
			DeadLetters letters = application.getBean(DeadLetters.class);
			await().untilAsserted(() -> assertThat(RefusedTextsIT.all(letters)).extracting(DeadLetter::reason)
				.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND"));
			assertThat(RefusedTextsIT.all(letters)).allSatisfy((letter) -> {
				assertThat(letter.event().subject()).isEqualTo(this.root + ".acme." + token);
				assertThat(letter.orderingKey()).isEqualTo(account);
			});
			assertThat(RefusedTextsIT.all(letters).get(0).failure().message()).startsWith(RefusedTextsIT.REFUSED);
			handlers.mended.set(true);
			letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
			await().untilAsserted(() -> assertThat(handlers.seen).containsExactly(account + 1, account + 2));
			await().untilAsserted(() -> assertThat(RefusedTextsIT.all(letters)).extracting(DeadLetter::status)
				.containsOnly(DeadLetterStatus.RESOLVED));
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(this.root));
			TestServers.postgres().dropDatabase(url);
		}
	}

	/** It has no texts that could be left out. */
	@Test
	void takesAnErrorAtTheBeginOfARunForNoRefusedText(CapturedOutput output) {
		Opening handlers = new Opening();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(handlers).with(ONE_ATTEMPT))) {
			publishToWorld("opened");
			DeadLetters letters = application.getBean(DeadLetters.class);
			await().untilAsserted(() -> assertThat(RefusedTextsIT.all(letters)).hasSize(1));
			handlers.mended.set(true);
			this.world.jdbc().execute("""
					create sequence begun;
					create function refuse_begin() returns trigger language plpgsql as $$
					begin
					  if new.redrive_runs > old.redrive_runs and nextval('begun') < 3 then
					    raise exception 'out of range' using errcode = '22003';
					  end if;
					  return new;
					end $$;
					create trigger refuse_begin before update on eventing.dead_letters
					  for each row execute function refuse_begin()""");
			letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
			await().untilAsserted(() -> assertThat(handlers.seen).hasSize(1));
			assertThat(this.world.count("select last_value from begun")).isEqualTo(3);
			assertThat(output.getAll()).doesNotContain("refuses a text");
		}
	}

	private void publishToWorld(String account) {
		this.world.publisher()
			.publish(this.world.root() + ".{tenant}.er\u00f6ffnet",
					Event.builder(World.ACME, new Deposited(account, 1, 1)).streamId(account).build());
	}

	private void publish(AnnotationConfigApplicationContext application, String token, String account, long version) {
		application.getBean(EventPublisher.class)
			.publish(this.root + ".{tenant}." + token,
					Event.builder(World.ACME, new Deposited(account, version, version)).streamId(account).build());
	}

	/** Refuses each event until it is mended. */
	abstract static class Failing {

		final AtomicBoolean mended = new AtomicBoolean();

		final List<String> seen = new CopyOnWriteArrayList<>();

		volatile String error = "not now";

		void apply(Deposited event) {
			if (!this.mended.get()) {
				throw new IllegalStateException(this.error);
			}
			this.seen.add(event.account() + event.version());
		}

	}

	static class Opening extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.er\u00f6ffnet", projectorName = Accounts.PROJECTOR)
		void on(Deposited event) {
			apply(event);
		}

	}

	static class Plain extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.opened", projectorName = Accounts.PROJECTOR)
		void on(Deposited event) {
			apply(event);
		}

	}

}
