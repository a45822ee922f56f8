package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.operator.OperatorRules;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Permissions for dead letters over HTTP.
 *
 * @param writeEnabled Whether dead letters may be redriven, discarded and edited over
 * HTTP.
 * @param showPayload Whether payloads, and values of headers other than those of
 * CloudEvents, are shown over HTTP.
 */
@ConfigurationProperties("eventing.deadletters")
record DeadLetterAccessProperties(@DefaultValue("false") boolean writeEnabled,
		@DefaultValue("false") boolean showPayload) {

	OperatorRules rules() {
		return new OperatorRules(this.writeEnabled, this.showPayload);
	}

}
