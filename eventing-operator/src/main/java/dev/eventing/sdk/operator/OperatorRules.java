package dev.eventing.sdk.operator;

/**
 * The permissions over HTTP.
 *
 * @param writeEnabled whether letters may be redriven, discarded and edited
 * @param showPayload whether payloads, and values of headers other than CloudEvents
 * attributes, may be shown. Messages and stack traces of errors are always shown,
 * although they may quote the event.
 */
public record OperatorRules(boolean writeEnabled, boolean showPayload) {

	/** Read-only, without payloads. */
	public static final OperatorRules DEFAULTS = new OperatorRules(false, false);

}
