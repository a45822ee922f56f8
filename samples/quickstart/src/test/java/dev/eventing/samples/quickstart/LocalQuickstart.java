package dev.eventing.samples.quickstart;

import dev.eventing.sdk.test.server.TestServers;

import org.springframework.boot.logging.LoggingSystem;

/**
 * Runs the application with NATS and PostgreSQL servers of its own, which end with it.
 */
final class LocalQuickstart {

	private LocalQuickstart() {
	}

	public static void main(String[] args) {
		// Nothing is logged before the application has read how.
		LoggingSystem.get(LocalQuickstart.class.getClassLoader()).beforeInitialize();
		QuickstartApplication.main(new String[] { "--eventing.nats.servers=" + TestServers.nats().url(),
				"--spring.datasource.url=" + TestServers.postgres().createDatabase() });
	}

}
