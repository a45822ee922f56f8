package dev.eventing.samples.quickstart;

import dev.eventing.sdk.test.server.OwnServers;

import org.springframework.boot.logging.LoggingSystem;

/**
 * Runs the application with NATS and PostgreSQL servers of its own, which end with it:
 * from an IDE, or by {@code spring-boot:test-run}.
 */
final class LocalQuickstart {

	private LocalQuickstart() {
	}

	public static void main(String[] args) {
		// Nothing is logged before the application has read how.
		LoggingSystem.get(LocalQuickstart.class.getClassLoader()).beforeInitialize();
		QuickstartApplication.main(OwnServers.arguments(args));
	}

}
