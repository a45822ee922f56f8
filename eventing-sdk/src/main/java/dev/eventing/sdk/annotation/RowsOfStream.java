package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which rows of a table of a read model belong to a stream of the event store. When the
 * contents of a stream are erased, its rows are deleted, in all generations of the read
 * model. Placeholders and {@code #{}} expressions are resolved in all attributes.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RowsOfStream {

	/** One of {@link Projector#tables}, written as there. */
	String table();

	/** The column with the tenant, as the catalog has it. */
	String tenantColumn() default "tenant_id";

	/**
	 * The column with the stream id, as the catalog has it: a text, a {@code uuid}, or
	 * what is equal as a text.
	 */
	String streamColumn();

	/**
	 * How the ids of these streams begin, such as {@code order-}, where the column has
	 * the rest only. A stream whose id begins otherwise has no rows in the table.
	 */
	String streamPrefix() default "";

}
