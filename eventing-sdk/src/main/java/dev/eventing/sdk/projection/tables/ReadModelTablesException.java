package dev.eventing.sdk.projection.tables;

import dev.eventing.sdk.OperatorMustActException;

/** Tables of a read model cannot be copied, exchanged or dropped as they stand. */
public final class ReadModelTablesException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	/** The message says what is wrong, and what to change. */
	public ReadModelTablesException(String message) {
		super(message);
	}

}
