package dev.eventing.sdk.test.server;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a server, ordered by numbers: 2.10.0 is newer than 2.9.25.
 *
 * @param major first number
 * @param minor second number
 * @param patch third number, 0 if the text has none
 */
public record Version(int major, int minor, int patch) implements Comparable<Version> {

	private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?");

	private static final Comparator<Version> ORDER = Comparator.comparingInt(Version::major)
		.thenComparingInt(Version::minor)
		.thenComparingInt(Version::patch);

	/**
	 * Reads the first version in a text such as {@code nats-server: v2.10.27}.
	 * @param text a server's description of its version
	 * @return its version
	 * @throws IllegalArgumentException if the text contains no version
	 */
	public static Version parse(String text) {
		Matcher numbers = NUMBERS.matcher(text);
		if (!numbers.find()) {
			throw new IllegalArgumentException("No version in '" + text + "'");
		}
		String patch = numbers.group(3);
		return new Version(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)),
				(patch != null) ? Integer.parseInt(patch) : 0);
	}

	/** Whether this version is equal to the other one or newer. */
	public boolean isAtLeast(Version other) {
		return compareTo(other) >= 0;
	}

	@Override
	public int compareTo(Version other) {
		return ORDER.compare(this, other);
	}

	@Override
	public String toString() {
		return this.major + "." + this.minor + "." + this.patch;
	}

}
