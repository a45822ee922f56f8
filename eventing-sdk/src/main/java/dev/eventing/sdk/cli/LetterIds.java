package dev.eventing.sdk.cli;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import picocli.CommandLine.TypeConversionException;

/** Ids of letters as operators write them. */
final class LetterIds {

	private LetterIds() {
	}

	/** One id, while the command line is read. */
	static UUID one(String text) {
		// More lenient than a list of letters ever is: it takes 1-1-1-1-1.
		try {
			UUID id = UUID.fromString(text);
			if (id.toString().equalsIgnoreCase(text)) {
				return id;
			}
		}
		catch (IllegalArgumentException ex) {
			// Said below.
		}
		throw new TypeConversionException("'" + text + "' is not the id of a letter. Consider one such as "
				+ "9c57e0c7-0c0b-4131-b10b-f34d1d4bf0cc, as 'eventing dlq list' shows it.");
	}

	/**
	 * All of them. Where any number is allowed, picocli would call one that cannot be
	 * read an unmatched argument, so they are read afterwards.
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
