package dev.eventing.sdk.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name of an event's type on the wire. Without this annotation the name is the simple
 * name of the class. The SDK never loads a class by a name from the wire.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface EventType {

	/** The name, such as {@code order.placed}. */
	String value();

}
