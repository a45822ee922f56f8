package dev.eventing.sdk.worker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The causes of failures that the log has named, so that it names each of them once,
 * however often a failure repeats. Two failures have one cause if their exceptions are of
 * the same classes and the texts differ in numbers only. Thread-safe.
 */
public final class NamedCauses {

	/** An exception with a text that is always another one must not fill the memory. */
	private static final int MOST = 100;

	private static final int DEEPEST = 10;

	private static final int LONGEST_TEXT = 200;

	private final Set<String> named = ConcurrentHashMap.newKeySet();

	/** Whether the cause is named for the first time since it was {@link #clear()}. */
	public boolean isNews(Throwable failure) {
		return this.named.size() < MOST && this.named.add(cause(failure));
	}

	/** Names all causes again: what failed works. */
	public void clear() {
		this.named.clear();
	}

	private static String cause(Throwable failure) {
		StringBuilder cause = new StringBuilder();
		Throwable root = failure;
		for (int depth = 0; depth < DEEPEST; depth++) {
			cause.append(root.getClass().getName()).append('/');
			Throwable next = root.getCause();
			if (next == null) {
				break;
			}
			root = next;
		}
		String text = String.valueOf(root.getMessage()).replaceAll("[0-9]+", "#");
		return cause.append(text, 0, Math.min(text.length(), LONGEST_TEXT)).toString();
	}

}
