package dev.eventing.sdk.event;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the name that was probably meant. */
public final class NearestName {

	/** A shorter name with an error is another name. */
	private static final int CHARACTERS_PER_ERROR = 3;

	private NearestName() {
	}

	/**
	 * Returns the name that is most similar to the written one.
	 * @param known at least one name
	 */
	public static String of(String written, Collection<String> known) {
		return known.stream()
			.min(Comparator.<String>comparingInt((name) -> distance(lower(name), lower(written)))
				.thenComparing(Comparator.naturalOrder()))
			.orElseThrow();
	}

	/** Whether one is a typing error for the other: at most two characters differ. */
	public static boolean isAlmost(String written, String known) {
		return distance(lower(known), lower(written)) <= 2;
	}

	/**
	 * Whether one is probably a typing error for the other: few characters of a long name
	 * differ, or only the case. Names that differ in digits alone are names of versions.
	 */
	public static boolean isMisspelt(String written, String known) {
		int distance = distance(lower(known), lower(written));
		return !written.equals(known) && distance <= 2
				&& distance * CHARACTERS_PER_ERROR <= Math.min(written.length(), known.length())
				&& (distance == 0 || !withoutDigits(written).equals(withoutDigits(known)));
	}

	private static String withoutDigits(String name) {
		return name.replaceAll("[0-9]", "");
	}

	private static String lower(String name) {
		return name.toLowerCase(Locale.ENGLISH);
	}

	/** The number of characters to insert, delete or change. */
	private static int distance(String one, String other) {
		int[] above = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			above[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int[] row = new int[other.length() + 1];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int changed = above[j - 1] + ((one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0);
				row[j] = Math.min(changed, 1 + Math.min(row[j - 1], above[j]));
			}
			above = row;
		}
		return above[other.length()];
	}

}
