package dev.eventing.sdk.projection;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/** The application has no check of that name. */
public class UnknownReconciliationException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownReconciliationException(String name, Collection<String> known) {
		super("The application has no check '" + name + "'. Known are " + known
				+ ". Consider one of these, or a method with @Reconciliation.");
	}

}
