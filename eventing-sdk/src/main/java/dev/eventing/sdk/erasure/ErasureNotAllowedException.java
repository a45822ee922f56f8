package dev.eventing.sdk.erasure;

import java.util.List;

import dev.eventing.sdk.OperatorMustActException;

/** The role of the connection lacks rights for an erasure. Nothing was erased. */
public class ErasureNotAllowedException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	ErasureNotAllowedException(String role, List<String> missing) {
		super("Role " + role + " may not erase: it lacks " + String.join("; ", missing)
				+ ". Consider another role for the command line, such as the owner of the tables, or these rights.");
	}

}
