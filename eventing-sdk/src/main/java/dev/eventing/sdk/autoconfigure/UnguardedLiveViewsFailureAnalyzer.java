package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.UnguardedLiveViewsException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how to decide who may see live views. */
final class UnguardedLiveViewsFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedLiveViewsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedLiveViewsException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Define a bean of type '" + LiveViewAccess.class.getName()
						+ "' that returns the tenant whose state a request may see, or remove "
						+ "'eventing.live-views.web.enabled'.",
				cause);
	}

}
