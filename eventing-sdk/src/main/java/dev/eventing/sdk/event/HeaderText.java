package dev.eventing.sdk.event;

/**
 * Which texts a NATS header can hold without encoding: printable ASCII and tabs, so that
 * no value can start another header or message.
 */
public final class HeaderText {

	private HeaderText() {
	}

	/** Whether a header can hold this value without encoding. */
	public static boolean isValue(String value) {
		return value.chars().allMatch((c) -> c == '\t' || (c >= ' ' && c <= '~'));
	}

	/** Whether a header can have this name. */
	public static boolean isName(String name) {
		return !name.isEmpty() && name.chars().allMatch((c) -> c > ' ' && c <= '~' && c != ':');
	}

	/**
	 * Checks a header.
	 * @throws InvalidEventException if a NATS header cannot hold the name or the value
	 */
	static void require(String name, String value) {
		if (!isName(name)) {
			throw new InvalidEventException("Header name " + Quoted.of(name)
					+ " is not valid. Consider printable ASCII without spaces and colons.");
		}
		if (!isValue(value)) {
			// The error text omits the value: headers may hold credentials.
			throw new InvalidEventException("The value of header " + Quoted.of(name)
					+ " holds a control or non-ASCII character. Consider percent-encoding it.");
		}
	}

}
