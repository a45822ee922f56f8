package dev.eventing.sdk.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The output of a command, and whether it is an interactive terminal. Foreign text is
 * written without control characters, so that the content of a letter cannot control the
 * terminal.
 */
final class Terminal {

	private final PrintWriter out;

	private final PrintWriter err;

	private final boolean interactive;

	private final boolean coloured;

	Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean coloured) {
		this.out = out;
		this.err = err;
		this.interactive = interactive;
		this.coloured = coloured;
	}

	static Terminal system() {
		boolean interactive = isInteractive(System.console());
		String noColor = System.getenv("NO_COLOR");
		boolean coloured = interactive && (noColor == null || noColor.isEmpty());
		return new Terminal(new PrintWriter(System.out, true, StandardCharsets.UTF_8),
				new PrintWriter(System.err, true, StandardCharsets.UTF_8), interactive, coloured);
	}

	/** From JDK 22 on, there is a console even without a terminal. */
	private static boolean isInteractive(@Nullable Console console) {
		if (console == null) {
			return false;
		}
		try {
			return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
		}
		catch (ReflectiveOperationException ex) {
			return true;
		}
	}

	PrintWriter out() {
		return this.out;
	}

	PrintWriter err() {
		return this.err;
	}

	/** Whether both input and output are a terminal. */
	boolean isInteractive() {
		return this.interactive;
	}

	boolean isColoured() {
		return this.coloured;
	}

	/** Prints a line. Foreign text in it must be {@link #printable}. */
	void line(String text) {
		this.out.println(text);
	}

	/** Prints text that is not a result, such as hints and progress. */
	void note(String text) {
		this.err.println(text);
	}

	/** Overwrites the previous line. */
	void overwrite(String text) {
		this.err.print("\r\u001B[K" + text);
		this.err.flush();
	}

	String bold(String text) {
		return style("1", text);
	}

	String dim(String text) {
		return style("2", text);
	}

	String red(String text) {
		return style("31", text);
	}

	String green(String text) {
		return style("32", text);
	}

	String yellow(String text) {
		return style("33", text);
	}

	private String style(String code, String text) {
		return this.coloured ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
	}

	/** Asks a question; true if the answer is y or yes. */
	boolean confirms(String question) {
		this.err.print(question + " [y/N] ");
		this.err.flush();
		try {
			String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
			return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The text without control characters, on one line. */
	static String printable(@Nullable String text) {
		return (text != null) ? text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "\uFFFD") : "";
	}

	/** The text without control characters except line breaks. */
	static String printableLines(String text) {
		return text.replace("\r\n", "\n").replaceAll("[[\\p{Cc}\\p{Cf}\\u2028\\u2029]&&[^\\n\\t]]", "\uFFFD");
	}

}
