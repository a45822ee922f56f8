package dev.eventing.sdk.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Declares a check of a projector's read model. The method returns the SQL of the check:
 * one query, as a {@code String} or as a {@link org.springframework.core.io.Resource
 * Resource} in UTF-8, such as a {@code ClassPathResource}. The query returns no rows if
 * all is well. Each row that it returns is a difference.
 *
 * <p>
 * The query calls the SQL function {@code applied_events(projector)}, which returns
 * exactly the events that the projector has applied, and compares them with the read
 * model. All this is seen at one point in time, so an event that the projector has not
 * applied yet is no difference. Select identifiers and totals, not payloads: the first
 * rows are stored.
 *
 * <p>
 * In place of a query the method may return a {@link FoldedRow}, which computes in Java
 * what the row of a stream should be.
 *
 * <p>
 * The method is one of a Spring bean, and has no parameters. It is called once, when all
 * singletons exist. All attributes may have placeholders <code>${...}</code>.
 *
 * @see Reconciliations
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface Reconciliation {

	/**
	 * The name of the check, unique in the application, of at most 200 characters.
	 */
	String name();

	/**
	 * The name of the projector. It reads the event store, or a stream to which a relay
	 * of the same database publishes.
	 */
	String projector();

	/**
	 * The time between two runs, such as {@code PT10M} or {@code 10m}, at least one
	 * second. One of all nodes runs the check. Empty, the default, if it runs on request
	 * only.
	 */
	String every() default "";

	/**
	 * Into how many buckets the check is divided, from 1, the default, to 1000. Each
	 * bucket is a run of the query with its own snapshot and time-out, one after the
	 * other. The query selects the keys of its bucket, by
	 * {@code current_setting('eventing.bucket')::int}, from 0 on, and
	 * {@code current_setting('eventing.buckets')::int}. A {@link FoldedRow} needs nothing
	 * of that. The differences of all buckets are one result.
	 */
	int buckets() default 1;

}
