package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares which columns of a read model's tables hold what the rows are made of, so that
 * a part of the read model can be rebuilt in place. Used in {@link Projector#ownership}.
 * Placeholders and {@code #{}} expressions are resolved in each attribute.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RowOwnership {

	/**
	 * The table, as {@link Projector#tables} names it. Empty for all tables that have no
	 * declaration of their own.
	 */
	String table() default "";

	/**
	 * The column with the tenant: the events of that tenant alone make the row. Empty if
	 * there is none.
	 */
	String tenant() default "";

	/**
	 * The column with the id of a stream: the events of that stream alone make the row,
	 * and events of that stream make no other rows. Empty if there is none.
	 */
	String stream() default "";

	/**
	 * The column with the beginning of a time bucket: the events that occurred in that
	 * bucket alone make the row. Empty if there is none.
	 */
	String bucket() default "";

	/**
	 * How long each bucket lasts, such as {@code PT1H} or {@code P1D}: days have 24
	 * hours, and buckets are counted from 1970-01-01T00:00:00Z. Needed with
	 * {@link #bucket}.
	 */
	String bucketLength() default "";

}
