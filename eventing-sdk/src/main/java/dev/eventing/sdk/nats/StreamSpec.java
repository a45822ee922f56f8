package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A stream the application declares: created when missing, its subjects added when it
 * lacks some, otherwise left as it is.
 *
 * @param name the stream's name
 * @param subjects the subjects it must carry
 * @param replicas in how many copies it is kept, when it is created
 * @param duplicateWindow for how long it drops a repeated message id, or null for the
 * server's default
 */
public record StreamSpec(String name, List<String> subjects, int replicas, @Nullable Duration duplicateWindow) {

	public StreamSpec {
		subjects = List.copyOf(subjects);
	}

}
