package dev.eventing.sdk.cli;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import picocli.CommandLine.TypeConversionException;

/** Parses ids of letters on the command line. */
final class LetterIds {

	private LetterIds() {
	}

	/** One id, while the command line is parsed. */
	static UUID one(String text) {
		// More lenient than the form that lists show: it accepts 1-1-1-1-1.
		try {
			UUID id = UUID.fromString(text);
			if (id.toString().equalsIgnoreCase(text)) {
				return id;
			}
		}
		catch (IllegalArgumentException ex) {
			// Reported below.
		}
		throw new TypeConversionException("'" + text + "' is not the id of a letter. Consider one such as "
				+ "9c57e0c7-0c0b-4131-b10b-f34d1d4bf0cc, as 'eventing dlq list' shows it.");
	}

	/**
	 * All ids. They are parsed after the command line: if a parameter allows any number
	 * of values, picocli would report an invalid id as an unmatched argument.
	 */
	static Set<UUID> all(List<String> texts) {
		try {
			return texts.stream().map(LetterIds::one).collect(Collectors.toSet());
		}
		catch (TypeConversionException ex) {
			throw new UsageException(String.valueOf(ex.getMessage()));
		}
	}

}
