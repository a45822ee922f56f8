package dev.eventing.sdk;

/**
 * A method is called in a transaction in which it cannot work, or without one that it
 * needs. The calling code must be changed: to try again does not help. If events were
 * appended above read committed while there are inline projectors, the transaction can
 * only be rolled back.
 */
public class WrongTransactionException extends EventingException {

	private static final long serialVersionUID = 1L;

	/** The message says what is wrong, and what to change. */
	public WrongTransactionException(String message) {
		super(message);
	}

	/**
	 * There is no transaction that commits the call together with the caller's other
	 * changes.
	 * @param what what is done, as the beginning of a sentence
	 * @param why why there is none
	 */
	public static WrongTransactionException outside(String what, String why) {
		return new WrongTransactionException(what + " outside a transaction: " + why
				+ ". Consider @Transactional on the calling method, with a transaction manager for the DataSource "
				+ "that holds the SDK's tables.");
	}

}
