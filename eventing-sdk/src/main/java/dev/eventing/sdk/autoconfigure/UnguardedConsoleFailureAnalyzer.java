package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.console.UnguardedConsoleException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how to protect the console, or leave it open. */
final class UnguardedConsoleFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedConsoleException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedConsoleException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Add 'org.springframework.boot:spring-boot-starter-security' and admit the users who may see letters, set "
						+ "'eventing.console.access=open', or remove 'eventing.console.enabled'.",
				cause);
	}

}
