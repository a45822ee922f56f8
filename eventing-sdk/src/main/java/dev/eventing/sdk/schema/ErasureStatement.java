package dev.eventing.sdk.schema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One statement of an erasure, and the count of what it changes.
 *
 * @param what the kind of things, in the plural
 * @param table the table as SQL writes it, with an alias if the condition has one
 * @param condition which rows still hold contents
 * @param change the statement up to its {@code where}
 */
public record ErasureStatement(String what, String table, String condition, String change) {

	/** Deletes the rows. */
	public static ErasureStatement deleting(String what, String table, String condition) {
		return new ErasureStatement(what, table, condition, "delete from " + table);
	}

	/** Replaces values of the rows. */
	public static ErasureStatement setting(String what, String table, String values, String condition) {
		return new ErasureStatement(what, table, condition, "update " + table + " set " + values);
	}

	/** How many rows it would change. */
	public ErasedCount plan(ErasedStream stream, JdbcClient jdbc) {
		return new ErasedCount(this.what,
				jdbc.sql("select count(*) from " + this.table + " where " + this.condition)
					.params(stream.params())
					.query(Long.class)
					.single());
	}

	/** Changes them. */
	public ErasedCount erase(ErasedStream stream, JdbcClient jdbc) {
		return new ErasedCount(this.what,
				jdbc.sql(this.change + " where " + this.condition).params(stream.params()).update());
	}

}
