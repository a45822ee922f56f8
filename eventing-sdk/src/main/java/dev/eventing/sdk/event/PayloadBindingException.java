package dev.eventing.sdk.event;

import java.lang.reflect.Type;

import dev.eventing.sdk.EventingException;

/**
 * A payload does not fit the type that its handler declares. Has no cause, because
 * messages of Jackson, and of constructors that reject a value, quote the payload.
 */
public class PayloadBindingException extends EventingException {

	private static final long serialVersionUID = 1L;

	PayloadBindingException(Type type, String problem) {
		super("The payload cannot be bound to '" + type.getTypeName() + "': " + problem
				+ ". Consider a type that matches what is published, or correct the publisher.");
	}

}
