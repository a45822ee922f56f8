package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;

/**
 * Work that exists but makes no progress.
 *
 * @param what the worker or its purpose; does not change while the stall lasts
 * @param detail where the work is stuck; never contains a payload
 * @param lasts the time without progress
 * @param stack the stack trace of the thread, innermost frame first; empty if there is no
 * thread
 */
public record Stall(String what, String detail, Duration lasts, List<StackTraceElement> stack) {

	/** One sentence for an operator. */
	public String describe() {
		return "'" + this.what + "' has made no progress for " + this.lasts.toSeconds() + " s: " + this.detail;
	}

	/** The same stall, with another detail. */
	public Stall because(String other) {
		return new Stall(this.what, other, this.lasts, this.stack);
	}

	/** The stack in the format of an exception's stack trace. */
	String trace() {
		return trace(this.stack);
	}

	static String trace(List<StackTraceElement> stack) {
		StringBuilder trace = new StringBuilder();
		for (StackTraceElement frame : stack) {
			trace.append(System.lineSeparator()).append("\tat ").append(frame);
		}
		return trace.toString();
	}

}
