package dev.eventing.sdk.schema;

import java.util.List;

import dev.eventing.sdk.EventingException;
import org.jspecify.annotations.Nullable;

/** The SDK's tables are missing or incomplete, or could not be brought up to date. */
public class SchemaNotReadyException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	SchemaNotReadyException(String message, List<String> problems) {
		this(message, problems, null);
	}

	SchemaNotReadyException(String message, List<String> problems, @Nullable Throwable cause) {
		super(message, cause);
		this.problems = List.copyOf(problems);
	}

	/** All missing and different tables, columns and keys. */
	public List<String> problems() {
		return this.problems;
	}

}
