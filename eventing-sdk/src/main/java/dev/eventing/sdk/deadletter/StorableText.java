package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.Nullable;

/** Text as PostgreSQL takes it: it has no place for the NUL character, also in jsonb. */
final class StorableText {

	private static final String CUT = "... (cut)";

	private StorableText() {
	}

	static String of(String text) {
		return text.replace('\u0000', '\uFFFD');
	}

	static @Nullable String ofNullable(@Nullable String text) {
		return (text != null) ? of(text) : null;
	}

	static @Nullable String ofNullable(@Nullable String text, int maxLength) {
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
