package dev.eventing.sdk.projection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of a run of a check: an answer or an error.
 *
 * @param check the check's name
 * @param projector the projector's name
 * @param run when it ran, and who ran it
 * @param answer the differences; null if there is no answer
 * @param error why there is no answer; null if there is one
 */
public record ReconciliationResult(String check, String projector, Run run, @Nullable Answer answer,
		@Nullable String error) {

	/** Whether there is an answer, and it has differences. */
	public boolean hasDifferences() {
		return this.answer != null && this.answer.differences() > 0;
	}

	/**
	 * When a check ran, who ran it, and on which generation.
	 *
	 * @param at when it ended, by the database's clock
	 * @param duration how long it took
	 * @param actor who ran it: a user, or {@code schedule on} and the node
	 * @param generation the number of the generation beside the live one; null for the
	 * live one
	 */
	public record Run(Instant at, Duration duration, String actor, @Nullable Integer generation) {
	}

	/**
	 * The differences at one point in time.
	 *
	 * @param position the projector's position in the event store at that time, or the
	 * sequence of a generation that is fed from JetStream beside the live one; of a check
	 * in buckets the lowest
	 * @param differences how many rows the query returned
	 * @param sample the first of them, 10 at most, as JSON objects; long values are cut
	 */
	public record Answer(long position, long differences, List<String> sample) {

		public Answer {
			sample = List.copyOf(sample);
		}

	}

}
