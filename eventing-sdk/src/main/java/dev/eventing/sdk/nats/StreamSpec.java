package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A stream that the application declares. It is created if it is missing. Missing
 * subjects are added to an existing stream, which is otherwise not changed.
 *
 * @param name the stream's name
 * @param subjects the subjects that it must carry
 * @param replicas the number of replicas, used when it is created
 * @param duplicateWindow how long it drops repeated message ids, or null for the server's
 * default; used when it is created
 */
public record StreamSpec(String name, List<String> subjects, int replicas, @Nullable Duration duplicateWindow) {

	public StreamSpec {
		subjects = List.copyOf(subjects);
	}

}
