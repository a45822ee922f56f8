package dev.eventing.sdk.projector.failure;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;

/**
 * Delays between attempts. They grow exponentially, with a random jitter of up to 25 % in
 * both directions. So events that failed together do not run again together.
 */
public final class RetryDelays {

	private static final double JITTER = 0.25;

	private final ProjectorOptions options;

	public RetryDelays(ProjectorOptions options) {
		this.options = options;
	}

	/** Returns the delay after this number of failed attempts. */
	public Duration after(int attempts) {
		double factor = Math.pow(this.options.get(ProjectorSettings::retryMultiplier), Math.max(0, attempts - 1));
		double millis = Math.min((double) this.options.get(ProjectorSettings::retryDelay).toMillis() * factor,
				(double) this.options.get(ProjectorSettings::retryMaxDelay).toMillis());
		double jitter = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
		return Duration.ofMillis(Math.round(millis * jitter));
	}

}
