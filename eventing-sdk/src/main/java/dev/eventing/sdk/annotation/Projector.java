package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Groups the {@link ProjectorEventHandler} methods of a class into one projector with one
 * durable consumer, so that events of several types reach them in stream order. Classes
 * with the same name here are one projector together.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Projector {

	/** The projector's name; resolves placeholders and {@code #{}} expressions. */
	String value();

	/** The durable consumer's name; empty means {@code {projectorName}-consumer}. */
	String durableName() default "";

}
