package dev.eventing.sdk.operator;

/**
 * The permissions of operators.
 *
 * @param writeEnabled whether letters may be redriven, discarded and edited
 * @param showPayload whether payloads, and values of headers other than CloudEvents
 * attributes, may be shown. Messages and stack traces of errors are always shown,
 * although they may quote the event.
 */
public record OperatorRules(boolean writeEnabled, boolean showPayload) {

	/** Read-only, without payloads. */
	public static final OperatorRules DEFAULTS = new OperatorRules(false, false);

	/** Everything is permitted, as to the command line, which has the database. */
	public static final OperatorRules ALL = new OperatorRules(true, true);

}
