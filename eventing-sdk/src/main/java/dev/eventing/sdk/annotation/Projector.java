package dev.eventing.sdk.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Groups the {@link ProjectorEventHandler} methods of a class into one projector with one
 * durable consumer. So the methods get events of several types in stream order. Classes
 * with the same projector name and version form one projector.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Projector {

	/** The projector's name. Placeholders and {@code #{}} expressions are resolved. */
	String value();

	/**
	 * The version of the read model that the class builds, at least 1. Each generation of
	 * the read model has a version, and only code of that version feeds it. So raise the
	 * version where the events must be handled anew, and leave it otherwise. Two classes
	 * of one name and different versions may stand in one application: the one feeds the
	 * live generation, and the other the next one. Both read the same source, and declare
	 * the same tables. A version above 1 needs {@link #tables} without a
	 * {@link ProjectionReset}, and one owner: not {@code ordering = NONE} on JetStream.
	 */
	int version() default 1;

	/** The durable consumer's name. Empty means {@code {projectorName}-consumer}. */
	String durableName() default "";

	/**
	 * The tables of the read model, which no one but this projector writes to. A rebuild
	 * in place empties them with {@code truncate}. A name may have a schema:
	 * {@code reporting.order_summary}. Placeholders and {@code #{}} expressions are
	 * resolved.
	 */
	String[] tables() default {};

	/**
	 * The location of the SQL script that creates the tables of this version, such as
	 * {@code classpath:order-summary-2.sql}, in UTF-8. Empty if a build beside the live
	 * generation copies the live tables. The script creates each of the {@link #tables}
	 * under its name without a schema, with its keys, indexes, defaults and policies, and
	 * nothing else. It runs in the transaction that begins the build, on an empty schema,
	 * so that no statement may end a transaction. Owner and rights are those of the live
	 * tables. A generation that is being built with another text of the script cannot go
	 * on. Placeholders and {@code #{}} expressions are resolved in the location, and not
	 * in the script.
	 */
	String script() default "";

	/**
	 * Which columns of the {@link #tables} hold the tenant, the stream or the time bucket
	 * that a row is made of. A rebuild of a part of the read model needs it, and so does
	 * an erasure of a stream: it deletes the rows of the stream in tables that have the
	 * columns of both tenant and stream, names the other tables, and leaves these as they
	 * are.
	 */
	ReadModelRows[] rows() default {};

}
