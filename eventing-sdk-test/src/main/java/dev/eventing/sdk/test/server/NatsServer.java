package dev.eventing.sdk.test.server;

import java.nio.file.Path;

/**
 * A NATS server with JetStream that one test run has for itself. It listens on loopback
 * only and keeps its port and its streams over {@link #kill()}, {@link #stop()} and
 * {@link #restart()}; {@link #close()} ends it and deletes what it stored. When this JVM
 * dies without a word the server ends within seconds.
 * <p>
 * Whoever starts, stops or pauses it does so from one thread; any number may use it.
 */
public interface NatsServer extends AutoCloseable {

	/**
	 * Starts a server from the program that {@link NatsServerBinary#find()} finds, else
	 * in a container where a Docker engine answers.
	 * @throws NatsServerNotFoundException when there is neither
	 * @throws ServerFailedException when it does not start
	 */
	static NatsServer start() {
		NatsServerBinary binary;
		try {
			binary = NatsServerBinary.find();
		}
		catch (NatsServerNotFoundException ex) {
			return DockerEngine.natsInPlaceOf(ex);
		}
		return start(binary);
	}

	/**
	 * Starts a server from the given program.
	 * @throws ServerFailedException when it does not start
	 */
	static NatsServer start(NatsServerBinary binary) {
		return start(binary, "");
	}

	/**
	 * Starts a server from the given program.
	 * @param binary the program
	 * @param configuration more of the server's configuration, in its own syntax
	 * @throws ServerFailedException when it does not start
	 */
	static NatsServer start(NatsServerBinary binary, String configuration) {
		return LocalNatsServer.start(binary, configuration);
	}

	/** Where clients connect to: {@code nats://127.0.0.1:<port>}. */
	String url();

	/** The port on loopback; it stays the same over restarts. */
	int port();

	/** Directory that JetStream stores in, as the server sees it. */
	Path storeDirectory();

	/** Ends the server at once (SIGKILL); what it had not written is lost. */
	void kill();

	/** Ends the server in good order. */
	void stop();

	/**
	 * Starts the server again, on the same port and store; one that runs is stopped
	 * before. Returns when it accepts connections and JetStream answers.
	 */
	void restart();

	/** Freezes the server: connections stay open and nothing answers. */
	void pause();

	/** Lets a paused server go on. */
	void resume();

	/** Ends the server and deletes what it stored. */
	@Override
	void close();

}
