package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G14: a reconciliation finds no difference on a sound system under full load. */
class G14LoadIT extends ReconciliationSetup {

	private static final int RUNS = 50;

	private static final int WRITERS = 4;

	private static final int ACCOUNTS = 6;

	private static final String AHEAD = """
			select count(*) from eventing.processed_events p join eventing.events e using (event_id, tenant_id)
			 where p.projector_name = 'totals'
			   and e.global_position > (select position from eventing.projector_checkpoints
			                             where projector_name = 'totals' order by revision desc limit 1)""";

	private static final String RESOLVED_AS_EDITED = """
			select count(*) from eventing.dead_letters where status = 'RESOLVED' and edited_payload is not null""";

	@Test
	void findsNothingOnASoundSystemUnderFullLoad() throws Exception {
		Totals totals = new Totals();
		totals.refusesOneOf = 15;
		AtomicBoolean enough = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
		Set<Long> positions = new HashSet<>();
		long ahead = 0;
		long open = 0;
		try (AnnotationConfigApplicationContext application = start(totals, new Checks())) {
			List<Future<?>> running = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				running.add(threads.submit(() -> write(number, enough)));
			}
			running.add(threads.submit(() -> treatLetters(enough)));
			await().until(() -> this.world.count(OPEN) > 0 && this.world.count(AHEAD) > 0);
			for (int run = 0; run < RUNS; run++) {
				Answer answer = answer(run(application, "totals"));
				assertThat(answer.sample()).isEmpty();
				assertThat(answer.differences()).isZero();
				positions.add(answer.position());
				awaitBehind(answer.position());
				ahead += this.world.count(AHEAD);
				open += this.world.count(OPEN);
			}
			await("letters of each kind").until(() -> letters("DISCARDED") > 0 && letters("RESOLVED") > 0
					&& this.world.count(RESOLVED_AS_EDITED) > 0);
			enough.set(true);
			for (Future<?> each : running) {
				each.get();
			}
			System.out.printf("%d positions, %d claims ahead, %d open letters, letters %s, %d events%n",
					positions.size(), ahead, open, this.world.jdbc().queryForList("""
							select status, edited_payload is not null as edited, count(*)
							  from eventing.dead_letters group by 1, 2"""),
					this.world.count("select count(*) from eventing.events"));
		}
		finally {
			enough.set(true);
			threads.shutdown();
		}
		assertThat(positions).as("positions").hasSize(RUNS);
		assertThat(ahead).as("claims after the checkpoint").isPositive();
		assertThat(open).as("open letters").isPositive();
	}

	/** Each run compares at another position. */
	private void awaitBehind(long position) {
		await().until(() -> this.world.checkpoint("totals") > position);
	}

	private void write(int writer, AtomicBoolean enough) {
		for (int version = 0; !enough.get(); version++) {
			int expected = version;
			this.world.inTransaction((store) -> {
				for (int account = 0; account < ACCOUNTS; account++) {
					String name = "w" + writer + "-" + account;
					store.append(World.ACME, this.world.storedStream(name), ExpectedVersion.exact(expected),
							NewEvent.of(new Deposited(name, expected + 1, expected + 1)));
				}
				return expected;
			});
		}
	}

	/** As operators do: discard some, edit some, and redrive the others. */
	private void treatLetters(AtomicBoolean enough) {
		Random random = new Random(14);
		DeadLetterFilter parked = DeadLetterFilter.ALL.withProjector("totals").withStatus(DeadLetterStatus.PARKED);
		while (!enough.get()) {
			for (DeadLetterSummary letter : this.world.operators().find(parked, null, 20).letters()) {
				DeadLetterFilter family = parked.withOrderingKey(letter.orderingKey());
				try {
					int choice = random.nextInt(3);
					if (choice == 0) {
						this.world.operators().discard(family, "anna", "a test");
					}
					else if (choice == 1) {
						this.world.operators()
							.edit(letter.letterId(), payload(letter.letterId()), "anna", "a wrong amount");
					}
					this.world.operators().redrive(RedriveRequest.of(family, "anna"));
				}
				catch (EventingException ex) {
					// the letter has changed meanwhile
				}
			}
		}
	}

	private byte[] payload(UUID letterId) {
		DeadLetter letter = this.world.operators().get(letterId).orElseThrow();
		String text = new String(letter.event().payload(), StandardCharsets.UTF_8);
		return text.replaceFirst("\"amount\": ?\\d+", "\"amount\": 1000").getBytes(StandardCharsets.UTF_8);
	}

	private long letters(String status) {
		return this.world.count("select count(*) from eventing.dead_letters where status = '" + status + "'");
	}

}
