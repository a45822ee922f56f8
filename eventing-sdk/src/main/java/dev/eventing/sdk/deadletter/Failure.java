package dev.eventing.sdk.deadletter;

import java.io.PrintWriter;
import java.io.StringWriter;

import dev.eventing.sdk.jdbc.Causes;
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

	/**
	 * Creates a failure from an error. The stack trace includes its causes. An error that
	 * fails to tell its message has none.
	 */
	public static Failure of(Throwable error) {
		return new Failure(error.getClass().getName(), Causes.messageOf(error), stackTraceOf(error));
	}

	/** Only its beginning, if a cause fails to tell its message. */
	private static String stackTraceOf(Throwable error) {
		StringWriter beginning = new Beginning();
		try {
			error.printStackTrace(new PrintWriter(beginning, true));
		}
		catch (RuntimeException | StackOverflowError ex) {
			// what was printed is kept
		}
		return beginning.toString();
	}

	/** Takes little more than what is kept, because causes may have no end. */
	private static final class Beginning extends StringWriter {

		@Override
		public void write(String text) {
			super.write(text);
			endIfFull();
		}

		@Override
		public void write(String text, int offset, int length) {
			super.write(text, offset, length);
			endIfFull();
		}

		private void endIfFull() {
			if (getBuffer().length() > MAX_STACK_TRACE) {
				throw new IllegalStateException("The rest is not kept.");
			}
		}

	}

}
