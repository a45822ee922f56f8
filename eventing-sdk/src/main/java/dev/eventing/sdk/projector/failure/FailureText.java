package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.jdbc.Causes;
import dev.eventing.sdk.jdbc.CutValues;
import dev.eventing.sdk.projector.HandlerMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Describes in one line of the log why an event failed: the class of the exception, its
 * cause with the message, and where in the application it was thrown. Where no line of
 * the application is in a stack, as when Hibernate flushes at the commit, it names the
 * handler of the event. Letters keep the message of the cause, too.
 *
 * @param messages whether messages are part of it; they may quote the event, so long
 * values in them are cut, and rows of a table are left out
 */
public record FailureText(boolean messages) {

	/** The longest message, in characters. */
	private static final int LONGEST = 500;

	/**
	 * The longest message before that of the cause, in characters. Lists and headers show
	 * the beginning, which must reach the cause.
	 */
	private static final int LONGEST_BEFORE_CAUSE = 200;

	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.",
			"kotlin.", "org.springframework.", "org.hibernate.", "org.postgresql.", "com.zaxxer.hikari.", "io.nats.",
			"tools.jackson.", "com.fasterxml.jackson.");

	private static final String SDK = EventingException.class.getPackageName() + ".";

	/** All packages of this module, below {@link #SDK}. */
	private static final Set<String> PACKAGES = Set.of("annotation", "autoconfigure", "config", "deadletter", "erasure",
			"event", "idempotency", "jdbc", "lease", "liveview", "nats", "observability", "projection", "projector",
			"relay", "schema", "store", "worker");

	/** Returns the text of an error, without a full stop at its end. */
	public String of(Throwable error) {
		return of(error, null);
	}

	/**
	 * Returns the text of an error of an event, without a full stop at its end.
	 * @param handler the handler of the event, or null
	 */
	public String of(Throwable error, @Nullable HandlerMethod handler) {
		List<Throwable> causes = Causes.of(error);
		Throwable told = told(causes);
		String place = place(told, causes);
		String where = (place != null) ? "at " + place : after(causes, handler);
		String end = (where != null) ? ", " + where : "";
		if (!this.messages) {
			return error.getClass().getName() + end;
		}
		String cause = (told != error) ? ", caused by " + told.getClass().getName() : "";
		return error.getClass().getName() + cause + message(told) + end;
	}

	/** Returns the text of a failure for which there is no error. */
	public String of(Failure failure) {
		return failure.errorClass() + (this.messages ? message(failure.message(), true) : "");
	}

	/**
	 * Returns what is stored of an error of an event, whatever the log shows: its
	 * message, and whether the commit failed. If it has a cause, the beginning of its
	 * message, then the class and the message of the cause, with values cut as in the
	 * log. The stack trace has the messages as they are.
	 * @param handler the handler of the event, or null
	 */
	public static Failure stored(Throwable error, @Nullable HandlerMethod handler) {
		Failure whole = Failure.of(error);
		List<Throwable> causes = Causes.of(error);
		Throwable told = told(causes);
		String own = Causes.messageOf(error);
		String message = (told != error) ? withCause(own, told) : own;
		if (isAtTheCommit(causes) && place(told, causes) == null) {
			String after = after(causes, handler);
			message = (message != null) ? withoutStop(message) + ", " + after : after;
		}
		return new Failure(whole.errorClass(), message, whole.stackTrace());
	}

	/** Where the message has that of the cause, the class of the cause is enough. */
	private static String withCause(@Nullable String message, Throwable cause) {
		String named = "caused by " + cause.getClass().getName();
		if (message == null || message.isBlank()) {
			return named + message(cause);
		}
		String before = String.valueOf(StorableText.ofNullable(CutValues.in(message), LONGEST_BEFORE_CAUSE));
		boolean known = hasMessage(cause) && before.contains(CutValues.in(String.valueOf(Causes.messageOf(cause))));
		return withoutStop(before) + ", " + named + (known ? "" : message(cause));
	}

	/**
	 * The same text for errors that have one reason: the class of the cause, what the
	 * database calls it, and where in the application it was thrown.
	 */
	public static String kind(Throwable error) {
		List<Throwable> causes = Causes.of(error);
		Throwable told = told(causes);
		String state = (told instanceof SQLException sql) ? " " + sql.getSQLState() : "";
		return told.getClass().getName() + state + " " + place(told, causes);
	}

	/**
	 * The cause that names the reason: the SDK's own exception, else the database's, else
	 * the last one with a message.
	 */
	private static Throwable told(List<Throwable> causes) {
		Throwable told = causes.get(causes.size() - 1);
		for (Throwable cause : causes) {
			if (cause instanceof EventingException) {
				return cause;
			}
			if (hasMessage(cause) && (cause instanceof SQLException || !(told instanceof SQLException))) {
				told = cause;
			}
		}
		return told;
	}

	private static boolean hasMessage(Throwable cause) {
		String message = Causes.messageOf(cause);
		return message != null && !message.isBlank();
	}

	private static String message(Throwable told) {
		return message(Causes.messageOf(told), told instanceof EventingException);
	}

	private static String message(@Nullable String message, boolean own) {
		if (message == null || message.isBlank()) {
			return "";
		}
		// the texts of the SDK have cut the values that they quote
		String line = (own ? message : CutValues.in(message)).replaceAll("\\s+", " ").strip();
		return ": " + withoutStop(Quoted.plain(line, LONGEST));
	}

	private static String withoutStop(String text) {
		return (text.endsWith(".") && !text.endsWith("...")) ? text.substring(0, text.length() - 1) : text;
	}

	/** The first line of the application, where it has one. */
	private static @Nullable String place(Throwable told, List<Throwable> causes) {
		return Stream.concat(Stream.of(told), causes.stream())
			.flatMap((cause) -> Stream.of(cause.getStackTrace()))
			.filter(FailureText::isOfTheApplication)
			.map((frame) -> frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
					+ frame.getLineNumber() + ")")
			.findFirst()
			.orElse(null);
	}

	private static boolean isOfTheApplication(StackTraceElement frame) {
		String name = frame.getClassName();
		return LIBRARIES.stream().noneMatch(name::startsWith) && !isOfTheSdk(name) && !name.contains("$$")
				&& frame.getLineNumber() > 0;
	}

	private static boolean isOfTheSdk(String name) {
		int end = name.indexOf('.', SDK.length());
		return name.startsWith(SDK) && (end < 0 || PACKAGES.contains(name.substring(SDK.length(), end)));
	}

	/** The handler, where no line of the application is in a stack; null if unknown. */
	private static @Nullable String after(List<Throwable> causes, @Nullable HandlerMethod handler) {
		boolean commit = isAtTheCommit(causes);
		if (handler == null) {
			return commit ? "at the commit" : null;
		}
		return (commit ? "at the commit after handler " : "of handler ") + handler.description();
	}

	private static boolean isAtTheCommit(List<Throwable> causes) {
		return causes.stream().anyMatch((cause) -> isAtTheCommit(cause.getStackTrace()));
	}

	/** Whatever the transaction manager is. */
	private static boolean isAtTheCommit(StackTraceElement[] stack) {
		for (int at = 1; at < stack.length; at++) {
			if (stack[at].getClassName().equals(TransactionTemplate.class.getName())
					&& stack[at - 1].getMethodName().equals("commit")) {
				return true;
			}
		}
		return false;
	}

}
