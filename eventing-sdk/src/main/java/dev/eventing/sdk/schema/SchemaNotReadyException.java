package dev.eventing.sdk.schema;

import java.util.List;

import dev.eventing.sdk.OperatorMustActException;
import org.jspecify.annotations.Nullable;

/**
 * The SDK's tables are missing or incomplete, could not be brought up to date, withhold
 * rights or rows from the application's role, or number new rows out of order.
 */
public class SchemaNotReadyException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	SchemaNotReadyException(String message, List<String> problems) {
		this(message, problems, null);
	}

	SchemaNotReadyException(String message, List<String> problems, @Nullable Throwable cause) {
		super(message, cause);
		this.problems = List.copyOf(problems);
	}

	/**
	 * Whether no table is missing, but what the tables give to this role cannot be relied
	 * on: rights are missing, rows may be hidden, or new ones numbered out of order.
	 */
	public boolean isUnsafe() {
		return getCause() instanceof UnsafeTablesException;
	}

	/** All that is missing or different, each with what to do where that differs. */
	public List<String> problems() {
		return this.problems;
	}

}
