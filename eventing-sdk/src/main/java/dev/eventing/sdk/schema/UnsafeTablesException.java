package dev.eventing.sdk.schema;

import java.util.List;

import dev.eventing.sdk.OperatorMustActException;
import org.jspecify.annotations.Nullable;

/**
 * The SDK's tables exist, but cannot be relied on while the application runs: a sequence
 * would draw numbers again that rows have already, or row level security hides rows from
 * the role of the DataSource. No statement fails on that, but events would be applied out
 * of order or left out. A start reports in the same way that this role lacks rights, on
 * which statements fail. The message has the statements that mend it. Work continues
 * automatically afterwards.
 */
public class UnsafeTablesException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private UnsafeTablesException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	static UnsafeTablesException of(EventingSchema schema, List<String> problems) {
		return new UnsafeTablesException(message(schema, problems), null);
	}

	/** Also of a start that is refused. */
	static String message(EventingSchema schema, List<String> problems) {
		return "Schema '" + schema.name() + "' cannot be used: " + String.join("; ", problems) + ".";
	}

	/**
	 * A new row got a number that is not above all earlier ones.
	 * @param table the table as SQL writes it
	 * @param cause the violation that showed it, or null
	 */
	public static UnsafeTablesException numberedBehind(String table, String column, @Nullable Throwable cause) {
		return new UnsafeTablesException("A new row of " + table + " got a '" + column
				+ "' that is not above those of earlier rows, so numbers begin again. Logical replication, for example,"
				+ " does not copy sequences. Consider, while nothing writes, \"select setval(pg_get_serial_sequence('"
				+ table + "', '" + column + "'), (select max(" + column + ") from " + table + "))\".", cause);
	}

}
