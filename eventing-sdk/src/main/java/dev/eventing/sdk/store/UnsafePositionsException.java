package dev.eventing.sdk.store;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.schema.RowSecurity;

/** The log cannot be read in the order of positions without missing events. */
public class UnsafePositionsException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private UnsafePositionsException(String message) {
		super(message);
	}

	static UnsafePositionsException notDrawnByInserts(String table) {
		return new UnsafePositionsException("Column 'global_position' of " + table
				+ " is no identity column, so positions may be drawn before the insert. Consider the table as the "
				+ "SDK's migration creates it.");
	}

	static UnsafePositionsException notOneByOne(String sequence, long cache, long increment, boolean cycle) {
		return new UnsafePositionsException("Sequence " + sequence + " has cache " + cache + ", increment " + increment
				+ (cycle ? " and cycles" : "") + ", so positions drawn later may be lower. Consider 'alter sequence "
				+ sequence + " cache 1 increment 1 no cycle'.");
	}

	static UnsafePositionsException drawnBehind(String table, long drawn, long highest) {
		return new UnsafePositionsException("Positions of " + table + " go up to " + highest
				+ ", but its sequence has drawn up to " + drawn
				+ " only. Logical replication, for example, does not copy "
				+ "sequences. New events would get positions of older ones, or lower ones. Consider, while nothing "
				+ "appends, \"select setval(pg_get_serial_sequence('" + table + "', 'global_position'), " + highest
				+ ")\".");
	}

	static UnsafePositionsException drawnTwice(String table, RuntimeException cause) {
		UnsafePositionsException exception = new UnsafePositionsException("A position was drawn that an event of "
				+ table
				+ " has already. Logical replication, for example, does not copy sequences. Consider, while nothing "
				+ "appends, \"select setval(pg_get_serial_sequence('" + table
				+ "', 'global_position'), (select max(global_position) from " + table + "))\".");
		exception.initCause(cause);
		return exception;
	}

	static UnsafePositionsException hidden(String table, String role) {
		return new UnsafePositionsException(
				"Events may be hidden, and would be passed over: " + RowSecurity.problem(table, role) + ".");
	}

	static UnsafePositionsException onStandby(String table) {
		return new UnsafePositionsException("The log " + table
				+ " is read on a standby, which does not show who is appending. Consider the DataSource of the primary.");
	}

}
