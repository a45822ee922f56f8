package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Large letters are parked, forwarded and redriven by processes whose heap could not hold
 * them.
 */
@Tag("bulk")
class LargeLettersIT {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@RegisterExtension
	final ProjectorProcess applying = ProjectorProcess.of(Applying.class).heap("256m");

	@RegisterExtension
	final ProjectorProcess refusing = ProjectorProcess.of(Refusing.class).heap("128m");

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void stopForwarder() {
		this.world.forwarder().stop();
	}

	@Test
	void redrivesLettersOf400KilobytesWithAHeapOf256MiB() {
		int letters = 800;
		addLetters(letters, 400_000);
		this.applying.start(this.world);
		this.applying.awaitReady();
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(250))
			.until(() -> this.world
				.count("select count(*) from eventing.dead_letters where status = 'RESOLVED'") == letters);
		assertThat(this.world.count("select count(*) from account")).isEqualTo(letters);
		assertThat(this.applying.isAlive()).isTrue();
	}

	@Test
	void forwardsLettersOf900KilobytesWithAHeapOf128MiB() {
		int letters = 150;
		addLetters(letters, 900_000);
		this.world.deadLetterStream().create();
		this.refusing.start(this.world);
		awaitForwarded(letters);
	}

	@Test
	void parksAndForwardsEventsOf900KilobytesWithAHeapOf128MiB() {
		int events = 150;
		this.world.deadLetterStream().create();
		String filler = "x".repeat(900_000);
		try (Wire wire = new Wire(this.world.natsUrl())) {
			for (int event = 0; event < events; event++) {
				wire.publish(this.world.root() + ".acme.deposited",
						Map.of("ce-specversion", "1.0", "ce-id", UUID.randomUUID().toString(), "ce-type", "Padded",
								"ce-source", "/test", "ce-subject", "a" + event % 3, "ce-tenantid", "acme"),
						"{\"account\":\"a" + event % 3 + "\",\"filler\":\"" + filler + "\"}");
			}
		}
		this.refusing.start(this.world);
		awaitForwarded(events);
		await().until(() -> this.world.unsettled("large") == 0);
	}

	private void awaitForwarded(int letters) {
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(250))
			.failFast("the process has ended", () -> !this.refusing.isAlive())
			.until(() -> this.world
				.count("select count(*) from eventing.dead_letters where forwarded_at is not null") == letters);
		assertThat(this.world.deadLetterStream().messages()).isEqualTo(letters);
	}

	private void addLetters(int letters, int bytes) {
		this.world.jdbc().update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at)
				select gen_random_uuid(), 'large', 'acme', event_id, 'Padded', 'a' || n, 'acme/a' || n,
				       ? || '.acme.deposited', jsonb_build_object('ce-specversion', jsonb_build_array('1.0'),
				         'ce-id', jsonb_build_array(event_id), 'ce-type', jsonb_build_array('Padded'),
				         'ce-source', jsonb_build_array('/test'), 'ce-subject', jsonb_build_array('a' || n),
				         'ce-tenantid', jsonb_build_array('acme')),
				       convert_to(format('{"account":"a%s","filler":"%s"}', n, repeat('x', ?)), 'UTF8'),
				       ?, n, now(), 'ATTEMPTS_EXHAUSTED', 'java.lang.IllegalStateException', 'broken', 'at a place',
				       3, now()
				  from (select n, gen_random_uuid() as event_id from generate_series(1, ?) as n) as events
				 order by n""", this.world.root(), bytes, this.world.stream(), letters);
	}

	/**
	 * A large event.
	 *
	 * @param account its key
	 * @param filler what makes it large
	 */
	record Padded(String account, String filler) {
	}

	/** Takes every event. */
	static class Applying {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "large")
		public void on(Padded event) {
			this.jdbc.update("insert into account values ('acme', ?, 1, ?)", event.account(), event.filler().length());
		}

	}

	/** Takes none. */
	static class Refusing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "large",
				noRetryFor = Accounts.Refused.class)
		public void on(Padded event) {
			throw new Accounts.Refused();
		}

	}

}
