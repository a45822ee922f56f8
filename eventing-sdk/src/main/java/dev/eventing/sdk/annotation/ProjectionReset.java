package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Empties the read model of a {@link Projector}, before it is filled again from events.
 * For a read model that is more than the declared {@link Projector#tables tables}, or
 * that shares a table with others.
 *
 * <p>
 * The method has no parameters and runs in a transaction of the projector's transaction
 * manager, together with what begins the rebuild. It must leave the read model as it is
 * before the first event. It must not commit, and is called again if the transaction
 * fails.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ProjectionReset {

}
