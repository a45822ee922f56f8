package dev.eventing.sdk.test.server;

import java.io.OutputStream;
import java.util.Map;

/**
 * A JVM that starts servers, says which, and then waits to be killed.
 */
final class AbandonedServers {

	private AbandonedServers() {
	}

	public static void main(String[] arguments) throws Exception {
		LocalNatsServer nats = LocalNatsServer.start(NatsServerBinary.find(), "");
		LocalPostgresServer postgres = LocalPostgresServer.start(Map.of());
		System.out.println("server " + nats.pid() + " " + nats.storeDirectory());
		System.out.println("server " + postgres.pid() + " " + postgres.directory());
		System.out.flush();
		System.in.transferTo(OutputStream.nullOutputStream());
	}

}
