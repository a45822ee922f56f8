package dev.eventing.sdk.deadletter;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import com.sun.management.ThreadMXBean;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes of many letters at once are made in the database. Memory and time grow with
 * their number, so that more of them show nothing else.
 */
class DeadLetterBulkIT {

	private static final int COUNT = Integer.getInteger("eventing.test.letters", 8_000);

	private static final String ACTOR = "anna";

	/** For all letters; a letter itself has more than two kilobytes. */
	private static final long MOST_BYTES = 400L * COUNT;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@RegisterExtension
	final Fixture fixture = new Fixture();

	@Test
	void redrivesAndDiscardsAllAtOnceInBoundedMemory() {
		LetterBox box = new LetterBox(this.fixture);
		ManyLetters.addParkedTo(box, COUNT);
		DeadLetters letters = new JdbcDeadLetters(box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());
		DeadLetterFilter all = DeadLetterFilter.ALL;

		Redrive plan = measured("plan", () -> letters.plan(all));
		Redrive redrive = measured("redrive", () -> letters.redrive(RedriveRequest.of(all, ACTOR)));
		assertThat(redrive.letters()).isEqualTo(plan.letters()).isEqualTo(COUNT);
		UUID redriveId = Objects.requireNonNull(redrive.redriveId());
		RedriveProgress progress = measured("progress", () -> letters.progress(redriveId));
		assertThat(progress.waiting()).isEqualTo(COUNT);

		assertThat(measured("planDiscard", () -> letters.planDiscard(all))).isEqualTo(COUNT);
		assertThat(measured("discard", () -> letters.discard(all, ACTOR, "test data"))).isEqualTo(COUNT);
		assertThat(letters.progress(redriveId).discarded()).isEqualTo(COUNT);
	}

	private static <T> T measured(String what, Supplier<T> call) {
		long allocated = THREADS.getCurrentThreadAllocatedBytes();
		long start = System.nanoTime();
		T result = call.get();
		Duration time = Duration.ofNanos(System.nanoTime() - start);
		long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
		System.out.printf("%s of %d letters: %d ms, %.1f MB allocated%n", what, COUNT, time.toMillis(), bytes / 1e6);
		assertThat(bytes).isLessThan(MOST_BYTES);
		return result;
	}

}
