package dev.eventing.sdk.worker;

import java.time.Duration;

import dev.eventing.sdk.OperatorMustActException;

/**
 * A part of the application cannot start, because its stop does not end. The log has the
 * stack of the thread that hangs.
 */
public class StopUnderWayException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	StopUnderWayException(String part, Duration waited) {
		super("'" + part + "' cannot start: a stop of it has not ended within " + waited.toSeconds()
				+ " s. Consider starting the process anew; the stack of its thread '" + part
				+ "-stop' shows what the stop waits for.");
	}

}
