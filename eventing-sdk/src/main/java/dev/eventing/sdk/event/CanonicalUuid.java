package dev.eventing.sdk.event;

import java.util.HexFormat;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * UUIDs in their canonical text form. {@link UUID#fromString} also accepts shortened
 * groups, so that different texts would become the same id.
 */
final class CanonicalUuid {

	private static final int LENGTH = 36;

	private CanonicalUuid() {
	}

	/** The UUID, or null if the text is not a canonical UUID. */
	static @Nullable UUID parse(String text) {
		return isCanonical(text) ? UUID.fromString(text) : null;
	}

	private static boolean isCanonical(String text) {
		if (text.length() != LENGTH) {
			return false;
		}
		for (int i = 0; i < LENGTH; i++) {
			boolean isBetweenGroups = i == 8 || i == 13 || i == 18 || i == 23;
			if (isBetweenGroups ? text.charAt(i) != '-' : !HexFormat.isHexDigit(text.charAt(i))) {
				return false;
			}
		}
		return true;
	}

}
