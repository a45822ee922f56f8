package dev.eventing.sdk.event;

/**
 * The tenant of an event. It is one token in subjects, and a part of message ids and
 * primary keys. So only letters, digits, {@code _} and {@code -} are allowed: no dot, no
 * wildcard, no space. It has at most {@value #MAX_LENGTH} characters.
 *
 * @param value the id, case-sensitive
 */
public record TenantId(String value) {

	/** The maximum length of an id, in characters. */
	public static final int MAX_LENGTH = 64;

	/**
	 * Checks the id.
	 * @throws InvalidTenantIdException if the value is no valid tenant id
	 */
	public TenantId {
		if (!isValid(value)) {
			throw new InvalidTenantIdException(value, MAX_LENGTH);
		}
	}

	public static TenantId of(String value) {
		return new TenantId(value);
	}

	/** Whether {@link #of} would accept this value. */
	public static boolean isValid(String value) {
		if (value.isEmpty() || value.length() > MAX_LENGTH) {
			return false;
		}
		for (int i = 0; i < value.length(); i++) {
			if (!isAllowed(value.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isAllowed(char c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
	}

	/** The id itself, for use in messages and subjects. */
	@Override
	public String toString() {
		return this.value;
	}

}
