package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * Text that PostgreSQL can store: without NUL characters, which neither text nor jsonb
 * can contain.
 */
public final class StorableText {

	private static final String CUT = "... (cut)";

	private StorableText() {
	}

	public static String of(String text) {
		return text.replace('\u0000', '\uFFFD');
	}

	public static @Nullable String ofNullable(@Nullable String text) {
		return (text != null) ? of(text) : null;
	}

	public static @Nullable String ofNullable(@Nullable String text, int maxLength) {
		if (text == null || text.length() <= maxLength) {
			return ofNullable(text);
		}
		int end = maxLength - CUT.length();
		if (Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		return of(text.substring(0, end)) + CUT;
	}

}
