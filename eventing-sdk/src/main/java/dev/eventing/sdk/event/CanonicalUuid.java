package dev.eventing.sdk.event;

import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * UUIDs in their canonical text form. {@link UUID#fromString} takes shortened groups as
 * well, so different texts would become the same id.
 */
final class CanonicalUuid {

	private static final Pattern FORM = Pattern
		.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

	private CanonicalUuid() {
	}

	/** The UUID, or null if the text is none. */
	static @Nullable UUID parse(String text) {
		return FORM.matcher(text).matches() ? UUID.fromString(text) : null;
	}

}
