package dev.eventing.sdk.jdbc;

import java.util.LinkedHashSet;
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
	 */
	public static List<Throwable> of(Throwable failure) {
		Set<Throwable> causes = new LinkedHashSet<>();
		Throwable cause = failure;
		while (cause != null && causes.size() < MOST && causes.add(cause)) {
			cause = cause.getCause();
		}
		return List.copyOf(causes);
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
