package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.jdbc.CutValues;
import org.jspecify.annotations.Nullable;

/**
 * Describes in one line of the log why an event failed: the class of the exception, its
 * cause with the message, and where in the application it was thrown.
 *
 * @param messages whether messages are part of it; they may quote the event, so long
 * values in them are cut, and rows of a table are left out
 */
public record FailureText(boolean messages) {

	/** The longest message, in characters. */
	private static final int LONGEST = 500;

	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.",
			"kotlin.", "org.springframework.", "org.hibernate.", "org.postgresql.", "com.zaxxer.hikari.", "io.nats.",
			"tools.jackson.", "com.fasterxml.jackson.", "dev.eventing.sdk.annotation.", "dev.eventing.sdk.event.",
			"dev.eventing.sdk.projector.", "dev.eventing.sdk.store.");

	/** Returns the text of an error, without a full stop at its end. */
	public String of(Throwable error) {
		List<Throwable> causes = causes(error);
		Throwable told = told(causes);
		String place = place(told, causes);
		String at = (place != null) ? ", at " + place : "";
		if (!this.messages) {
			return error.getClass().getName() + at;
		}
		String cause = (told != error) ? ", caused by " + told.getClass().getName() : "";
		return error.getClass().getName() + cause + message(told.getMessage(), told instanceof EventingException) + at;
	}

	/** Returns the text of a failure for which there is no error. */
	public String of(Failure failure) {
		return failure.errorClass() + (this.messages ? message(failure.message(), true) : "");
	}

	/**
	 * The same text for errors that have one reason: the class of the cause, what the
	 * database calls it, and where in the application it was thrown.
	 */
	public static String kind(Throwable error) {
		List<Throwable> causes = causes(error);
		Throwable told = told(causes);
		String state = (told instanceof SQLException sql) ? " " + sql.getSQLState() : "";
		return told.getClass().getName() + state + " " + place(told, causes);
	}

	/** It and its causes, from the outermost one. */
	private static List<Throwable> causes(Throwable error) {
		Set<Throwable> causes = new LinkedHashSet<>();
		for (Throwable cause = error; cause != null && causes.add(cause);) {
			cause = cause.getCause();
		}
		return new ArrayList<>(causes);
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
		return cause.getMessage() != null && !cause.getMessage().isBlank();
	}

	private static String message(@Nullable String message, boolean own) {
		if (message == null || message.isBlank()) {
			return "";
		}
		// the texts of the SDK have cut the values that they quote
		String line = (own ? message : CutValues.in(message)).replaceAll("\\s+", " ").strip();
		String text = Quoted.plain(line, LONGEST);
		return ": " + ((text.endsWith(".") && !text.endsWith("...")) ? text.substring(0, text.length() - 1) : text);
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
		return LIBRARIES.stream().noneMatch(name::startsWith) && !name.contains("$$") && frame.getLineNumber() > 0;
	}

}
