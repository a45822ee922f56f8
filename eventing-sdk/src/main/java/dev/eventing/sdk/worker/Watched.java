package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;

/**
 * A part of the application with threads that must not hang. {@link StallWatch} asks it.
 */
public interface Watched {

	/**
	 * What makes no progress now. Must not access a server, nor wait for one of the
	 * threads. For any thread.
	 * @param longest how long a thread may take without a sign of life; a part whose own
	 * limit is another one uses that
	 */
	List<Stall> stalls(Duration longest);

}
