package dev.eventing.sdk.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What an error tells of itself. It may be one of an application, whose causes are a
 * circle or have no end, and which fails when it is asked.
 */
public final class Causes {

	private static final int MOST = 100;

	private Causes() {
	}

	/**
	 * The failure and its causes, each once, from the outermost one; a hundred at most.
	 * They end before a cause that an error fails to tell.
	 */
	public static List<Throwable> of(Throwable failure) {
		List<Throwable> causes = new ArrayList<>();
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Throwable cause = failure;
		while (cause != null && causes.size() < MOST && seen.add(cause)) {
			causes.add(cause);
			cause = causeOf(cause);
		}
		return Collections.unmodifiableList(causes);
	}

	private static @Nullable Throwable causeOf(Throwable error) {
		try {
			return error.getCause();
		}
		catch (RuntimeException | StackOverflowError ex) {
			return null;
		}
	}

	/** The message of an error; null also if it fails to tell it. */
	public static @Nullable String messageOf(Throwable error) {
		try {
			return error.getMessage();
		}
		catch (RuntimeException | StackOverflowError ex) {
			return null;
		}
	}

}
