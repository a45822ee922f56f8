package dev.eventing.sdk.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The order in which the signs of a relay count, as a table. */
class RelaySignsTests {

	/**
	 * Signs: events that have waited too long, a thread that hangs, one that begins
	 * again, a database that has not answered for 5 s, a lease that is not current.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			# reported            | signs                     | state
			RUNNING               | -                         | RUNNING
			STANDBY               | -                         | STANDBY
			PAUSED                | -                         | PAUSED
			REFUSED               | -                         | REFUSED
			FAILED                | -                         | FAILED
			WAITING_FOR_NATS      | -                         | WAITING_FOR_NATS

			RUNNING               | stands                    | STALLED
			WAITING_FOR_NATS      | stands                    | STALLED
			RUNNING               | stands restart            | STALLED
			RUNNING               | stands lease              | STALLED
			RUNNING               | stands silent             | STALLED
			RUNNING               | hangs                     | STALLED
			STARTING              | hangs                     | STALLED
			STANDBY               | hangs                     | STALLED
			RUNNING               | hangs silent lease        | STALLED

			RUNNING               | restart silent lease      | RESTARTING
			STARTING              | restart                   | RESTARTING
			REFUSED               | restart                   | RESTARTING

			RUNNING               | silent                    | WAITING_FOR_DATABASE
			RUNNING               | silent lease              | WAITING_FOR_DATABASE
			RUNNING               | lease                     | WAITING_FOR_DATABASE
			PAUSED                | silent lease              | PAUSED
			STANDBY               | silent lease              | STANDBY
			WAITING_FOR_NATS      | silent lease              | WAITING_FOR_NATS
			REFUSED               | silent lease              | REFUSED
			""")
	void theFirstSignThatIsThereDecides(RelayState reported, String signs, RelayState expected) {
		List<String> there = (signs != null) ? List.of(signs.split(" ")) : List.of();
		assertThat(signs(reported, there).state().state()).isEqualTo(expected);
	}

	private static RelaySigns signs(RelayState reported, List<String> there) {
		Instant now = Instant.now();
		return new RelaySigns(new RelaySigns.State(reported, "as reported", now),
				there.contains("stands") ? Duration.ofMinutes(6) : null,
				there.contains("hangs")
						? new Stall("relay", "its thread does not go on", Duration.ofMinutes(6), List.of()) : null,
				there.contains("restart") ? new WorkerFailure("relay", "OutOfMemoryError", 1, now) : null,
				there.contains("silent") ? Duration.ofSeconds(5) : Duration.ofSeconds(4), !there.contains("lease"));
	}

}
