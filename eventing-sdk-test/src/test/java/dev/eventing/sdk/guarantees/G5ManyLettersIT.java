package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveProgress;
import dev.eventing.sdk.deadletter.RedriveRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * All of 100,000 letters are redriven, in order, by a process whose heap of 256 MiB could
 * not hold them.
 */
@Tag("bulk")
class G5ManyLettersIT {

	private static final int KEYS = 25_000;

	private static final int EACH = 4;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Applying.class);

	@AutoClose
	private final World world = World.create();

	@Test
	void redrivesAHundredThousandLettersInOrderWithProgress() {
		this.world.forwarder().stop();
		addLetters();
		this.projector.start(this.world);
		this.projector.awaitReady();
		long began = System.nanoTime();
		Redrive redrive = this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
		assertThat(redrive.letters()).isEqualTo(KEYS * EACH);
		long requested = System.nanoTime();
		List<Long> resolved = new ArrayList<>();
		RedriveProgress last = this.world.operators().progress(redrive.redriveId());
		while (!last.isOver()) {
			resolved.add(last.resolved());
			long before = last.resolved();
			last = await().pollInterval(Duration.ofMillis(500))
				.until(() -> this.world.operators().progress(redrive.redriveId()),
						(progress) -> progress.isOver() || progress.resolved() > before);
		}
		System.out.printf("%d letters: requested in %d ms, redriven in %d ms more; seen at %d stages%n", KEYS * EACH,
				TimeUnit.NANOSECONDS.toMillis(requested - began),
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - requested), resolved.stream().distinct().count());
		assertThat(last.resolved()).isEqualTo(KEYS * EACH);
		assertThat(resolved).isSorted();
		assertThat(resolved.stream().distinct().count()).isGreaterThan(5);
		assertThat(this.world.count("select count(*) from account where version = " + EACH)).isEqualTo(KEYS);
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(KEYS * EACH);
		assertThat(this.projector.isAlive()).isTrue();
	}

	/** As a projector leaves them whose handler was broken for a while. */
	private void addLetters() {
		this.world.jdbc()
			.update("""
					insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
					       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
					       reason, error_class, error_message, stack_trace, attempts, first_failed_at)
					select gen_random_uuid(), 'applying', 'acme', event_id, 'Deposited', account, 'acme/' || account,
					       ? || '.acme.deposited', jsonb_build_object('ce-specversion', jsonb_build_array('1.0'),
					         'ce-id', jsonb_build_array(event_id), 'ce-type', jsonb_build_array('Deposited'),
					         'ce-source', jsonb_build_array('/test'), 'ce-subject', jsonb_build_array(account),
					         'ce-tenantid', jsonb_build_array('acme')),
					       convert_to(format('{"account":"%s","version":%s,"amount":1}', account, version), 'UTF8'),
					       'LETTERS', n, now(), case when version = 1 then 'ATTEMPTS_EXHAUSTED' else 'BEHIND' end,
					       'java.lang.IllegalStateException', 'broken', repeat('at some.place.of.the.Code ', 100), 3, now()
					  from (select n, gen_random_uuid() as event_id, 'a' || (n - 1) / ? as account, (n - 1) % ? + 1 as version
					          from generate_series(1, ?) as n) as events
					 order by n""",
					this.world.root(), EACH, EACH, KEYS * EACH);
	}

	/** A handler that was mended. */
	static class Applying {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "applying")
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
