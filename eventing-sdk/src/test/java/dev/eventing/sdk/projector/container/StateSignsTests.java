package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.attempt.TransientFailure;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.feed.CurrentState.Entry;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The order in which the signs of a projector count, as a table. */
class StateSignsTests {

	/**
	 * Signs: stall, a part that begins again, a pause after failures, a wait of a lane
	 * for the database, tables that are missing, a lease that is not current, a stop.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			# intake              | signs                                          | state
			RUNNING               | -                                              | RUNNING
			REBUILDING            | -                                              | REBUILDING
			PAUSED                | -                                              | PAUSED
			STARTING              | -                                              | STARTING
			FAILED                | -                                              | FAILED
			WAITING_FOR_NATS      | -                                              | WAITING_FOR_NATS
			WAITING_FOR_DATABASE  | -                                              | WAITING_FOR_DATABASE
			WAITING_FOR_NEWER_CODE| -                                              | WAITING_FOR_NEWER_CODE
			STOPPED               | stopping                                       | STOPPED
			STOPPED               | -                                              | RESTARTING

			RUNNING               | stall                                          | STALLED
			WAITING_FOR_NATS      | stall                                          | STALLED
			WAITING_FOR_DATABASE  | stall                                          | STALLED
			WAITING_FOR_NEWER_CODE| stall                                          | STALLED
			FAILED                | stall                                          | STALLED
			RUNNING               | stall restart                                  | STALLED
			RUNNING               | stall restart repeated transient missing lease | STALLED

			FAILED                | restart repeated transient lease               | FAILED
			RUNNING               | missing restart repeated lease                 | FAILED
			WAITING_FOR_NATS      | missing                                        | FAILED
			RUNNING               | restart repeated transient lease               | RESTARTING
			WAITING_FOR_NATS      | restart                                        | RESTARTING
			PAUSED                | restart                                        | RESTARTING

			RUNNING               | repeated transient lease                       | PAUSED_BY_FAILURES
			WAITING_FOR_NATS      | repeated                                       | PAUSED_BY_FAILURES
			PAUSED                | repeated                                       | PAUSED
			STOPPED               | repeated stopping                              | STOPPED

			WAITING_FOR_NATS      | transient lease                                | WAITING_FOR_NATS
			RUNNING               | transient                                      | WAITING_FOR_DATABASE
			RUNNING               | transient lease                                | WAITING_FOR_DATABASE
			RUNNING               | lease                                          | WAITING_FOR_DATABASE
			REBUILDING            | lease                                          | WAITING_FOR_DATABASE
			PAUSED                | transient lease                                | PAUSED
			PAUSED                | missing                                        | PAUSED
			STARTING              | lease                                          | STARTING
			STOPPED               | transient lease stopping                       | STOPPED
			""")
	void theFirstSignThatIsThereDecides(ProjectorState intake, String signs, ProjectorState expected) {
		List<String> there = (signs != null) ? List.of(signs.split(" ")) : List.of();
		assertThat(signs(intake, there).state().state()).isEqualTo(expected);
	}

	@Test
	void theEndOfTheIntakeIsNamedBeforeAFailureBesideIt() {
		assertThat(signs(ProjectorState.STOPPED, List.of("restart")).state().detail())
			.isEqualTo("it ended without being stopped");
	}

	private static StateSigns signs(ProjectorState intake, List<String> there) {
		Instant now = Instant.now();
		boolean waits = there.contains("transient") || there.contains("missing");
		return new StateSigns(new Entry(intake, "of the intake", now), there.contains("stopping"),
				there.contains("stall") ? new Stall("lane", "it is running an event", Duration.ofMinutes(6), List.of())
						: null,
				there.contains("restart") ? new WorkerFailure("lane", "OutOfMemoryError", 1, now) : null,
				there.contains("repeated") ? new RepeatedFailures.Paused(now, 20, "no table") : null,
				waits ? new TransientFailure(now, "SQLException: no table", there.contains("missing")) : null,
				!there.contains("lease"));
	}

}
