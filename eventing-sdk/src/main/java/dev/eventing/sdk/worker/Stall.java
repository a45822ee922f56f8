package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;

/**
 * Work that is there and does not go on.
 *
 * @param what the worker, or what it works for; the same as long as the stall lasts
 * @param detail where it stands, in words; never with a payload
 * @param lasts for how long nothing has gone on
 * @param stack what the thread is doing, from the inside out; empty if there is none
 */
public record Stall(String what, String detail, Duration lasts, List<StackTraceElement> stack) {

	/** One sentence for an operator. */
	public String describe() {
		return "'" + this.what + "' has stood still for " + this.lasts.toSeconds() + " s: " + this.detail;
	}

	/** The stack as it is printed under an exception. */
	String trace() {
		StringBuilder trace = new StringBuilder();
		for (StackTraceElement frame : this.stack) {
			trace.append(System.lineSeparator()).append("\tat ").append(frame);
		}
		return trace.toString();
	}

}
