package dev.eventing.sdk.event;

/**
 * What may stand in a NATS header as it is: printable ASCII, so that no value can start a
 * header or a message of its own.
 */
public final class HeaderText {

	private HeaderText() {
	}

	/** Whether a value can stand in a header as it is. */
	public static boolean isValue(String value) {
		return value.chars().allMatch((c) -> c == '\t' || (c >= ' ' && c <= '~'));
	}

	/** Whether a header can have this name. */
	public static boolean isName(String name) {
		return !name.isEmpty() && name.chars().allMatch((c) -> c > ' ' && c <= '~' && c != ':');
	}

	/**
	 * Checks a header.
	 * @throws InvalidEventException if it cannot stand on the wire
	 */
	static void require(String name, String value) {
		if (!isName(name)) {
			throw new InvalidEventException("Header name " + Quoted.of(name)
					+ " is not valid. Consider printable ASCII without spaces and colons.");
		}
		if (!isValue(value)) {
			// The value stays out of the message: headers may hold credentials.
			throw new InvalidEventException("The value of header " + Quoted.of(name)
					+ " holds a control or non-ASCII character. Consider percent-encoding it.");
		}
	}

}
