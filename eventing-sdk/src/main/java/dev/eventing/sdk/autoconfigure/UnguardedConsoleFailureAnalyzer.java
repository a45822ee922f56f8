package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.console.UnguardedConsoleException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how the console can be guarded, or left open. */
final class UnguardedConsoleFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedConsoleException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedConsoleException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Add 'org.springframework.boot:spring-boot-starter-security' and let through who may see letters, set "
						+ "'eventing.console.access=open', or leave out 'eventing.console.enabled'.",
				cause);
	}

}
