package dev.eventing.samples.quickstart;

import dev.eventing.sdk.test.server.OwnServers;

import org.springframework.boot.logging.LoggingSystem;

/**
 * Starts NATS and PostgreSQL servers, and runs the application with them until it ends:
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
