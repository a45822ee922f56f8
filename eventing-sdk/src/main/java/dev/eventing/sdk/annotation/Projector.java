package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Groups the {@link ProjectorEventHandler} methods of a class into one projector with one
 * durable consumer. So the methods get events of several types in stream order. Classes
 * with the same projector name form one projector.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Projector {

	/** The projector's name. Placeholders and {@code #{}} expressions are resolved. */
	String value();

	/** The durable consumer's name. Empty means {@code {projectorName}-consumer}. */
	String durableName() default "";

}
