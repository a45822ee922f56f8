package dev.eventing.sdk.liveview;

/**
 * The version of a state. A higher version of the same live epoch is newer. States of two
 * live epochs cannot be compared: a switch, a roll back or a rebuild lies between them,
 * and the one that the table has is right.
 *
 * @param liveEpoch grows with each switch, roll back and rebuild of the view
 * @param version the number of changes of the state; 0 if there is no state
 */
public record LiveVersion(long liveEpoch, long version) {

	/**
	 * Reads what {@link #toString} has printed.
	 * @throws IllegalArgumentException if it cannot have printed that
	 */
	public static LiveVersion parse(String text) {
		int dot = text.indexOf('.');
		try {
			if (dot > 0) {
				return new LiveVersion(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
			}
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'" + text + "' is no version of a state, such as '2.17'.", ex);
		}
		throw new IllegalArgumentException("'" + text + "' is no version of a state, such as '2.17'.");
	}

	/** Such as {@code 2.17}: the live epoch, a dot, and the version. */
	@Override
	public String toString() {
		return this.liveEpoch + "." + this.version;
	}

}
