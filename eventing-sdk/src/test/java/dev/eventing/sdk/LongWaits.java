package dev.eventing.sdk;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests wait long for what is good, as those with servers do. JUnit finds this extension
 * by itself.
 */
public final class LongWaits implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
	}

}
