package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.relay.InvalidRelayOptionsException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which options of a relay are out of range. */
final class InvalidRelayOptionsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRelayOptionsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRelayOptionsException cause) {
		return new FailureAnalysis(
				ProblemList.under("Options of relay '" + cause.relay() + "' are out of range:", cause.problems()),
				"Change the values above where they are set: in a RelayOptions bean, or by the properties "
						+ "'eventing.relays." + cause.relay() + ".*'.",
				cause);
	}

}
