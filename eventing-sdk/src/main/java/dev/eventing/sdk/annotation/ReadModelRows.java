package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which columns of a read model's table hold what its rows are made of, so that a part of
 * the read model can be rebuilt in place, and the rows of a stream can be erased. Used in
 * {@link Projector#rows}. Placeholders and {@code #{}} expressions are resolved in all
 * attributes.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ReadModelRows {

	/**
	 * One of {@link Projector#tables}, written as there. Empty for all tables that have
	 * no declaration of their own.
	 */
	String table() default "";

	/**
	 * The column with the tenant: the events of that tenant alone make the row. Empty if
	 * there is none.
	 */
	String tenantColumn() default "tenant_id";

	/**
	 * The column with the id of a stream: the events of that stream alone make the row,
	 * and they make no other rows. It is a text, a {@code uuid}, or what is equal as a
	 * text. With it and {@link #tenantColumn}, an erasure of the stream deletes the row.
	 * Empty if there is none.
	 */
	String streamColumn() default "";

	/**
	 * How the ids of these streams begin, such as {@code order-}, where the column has
	 * the rest only. A stream whose id begins otherwise has no rows in the table.
	 */
	String streamPrefix() default "";

	/**
	 * The column with the beginning of a time bucket: the events that occurred in that
	 * bucket alone make the row. Empty if there is none.
	 */
	String bucketColumn() default "";

	/**
	 * How long each bucket lasts, such as {@code PT1H} or {@code P1D}: days have 24
	 * hours, and buckets are counted from 1970-01-01T00:00:00Z. Needed with
	 * {@link #bucketColumn}.
	 */
	String bucketLength() default "";

}
