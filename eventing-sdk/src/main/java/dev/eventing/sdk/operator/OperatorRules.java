package dev.eventing.sdk.operator;

/**
 * What is allowed over HTTP.
 *
 * @param writeEnabled whether letters may be redriven, discarded and edited
 * @param showPayload whether payloads, and values of headers that are no CloudEvents
 * attributes, may be seen. Messages and stack traces of errors are shown in any case,
 * though they may quote the event.
 */
public record OperatorRules(boolean writeEnabled, boolean showPayload) {

	/** Nothing but looking, and no payloads. */
	public static final OperatorRules DEFAULTS = new OperatorRules(false, false);

}
