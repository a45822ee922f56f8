package dev.eventing.sdk.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name and the version of an event's type on the wire. Without this annotation the
 * name is the simple name of the class, and the version is 1. The SDK never loads a class
 * by a name from the wire.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface EventType {

	/** The name under which events are written, such as {@code order.placed}. */
	String value();

	/**
	 * The version of the type that this class is, from 1 on. Raise it when events that
	 * were written before no longer fit the class. Each version below it needs an
	 * {@link EventUpcaster}.
	 */
	int version() default 1;

	/** Further names under which events of this type may arrive, such as former ones. */
	String[] aliases() default {};

}
