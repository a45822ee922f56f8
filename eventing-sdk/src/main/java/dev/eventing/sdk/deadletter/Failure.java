package dev.eventing.sdk.deadletter;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.jspecify.annotations.Nullable;

/**
 * An error in a form that the database can store: without NUL characters, and with long
 * texts cut.
 *
 * @param errorClass the class of the error
 * @param message its message, at most {@value #MAX_MESSAGE} characters, or null
 * @param stackTrace its stack trace with causes, at most {@value #MAX_STACK_TRACE}
 * characters, or null
 */
public record Failure(String errorClass, @Nullable String message, @Nullable String stackTrace) {

	/** The longest message that is kept, in characters. */
	public static final int MAX_MESSAGE = 4 * 1024;

	/** The longest stack trace that is kept, in characters. */
	public static final int MAX_STACK_TRACE = 32 * 1024;

	public Failure {
		errorClass = StorableText.of(errorClass);
		message = StorableText.ofNullable(message, MAX_MESSAGE);
		stackTrace = StorableText.ofNullable(stackTrace, MAX_STACK_TRACE);
	}

	/** Creates a failure from an error. The stack trace includes its causes. */
	public static Failure of(Throwable error) {
		StringWriter stackTrace = new StringWriter();
		error.printStackTrace(new PrintWriter(stackTrace, true));
		return new Failure(error.getClass().getName(), error.getMessage(), stackTrace.toString());
	}

}
