package dev.eventing.benchmark.startup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An application with one listener of spring-kafka that does nothing but print when it is
 * given a record, with a Kafka broker.
 */
final class ListenerApplication implements Application {

	private static final String PACKAGE = "dev.eventing.benchmark.peers.springkafka.";

	private static final int BROKER_ENDS_WITHIN_SECONDS = 20;

	private final Process broker;

	private final BufferedReader answers;

	private final Writer records;

	private final List<String> arguments;

	/**
	 * Starts the broker.
	 * @param log where what the broker logs goes
	 */
	ListenerApplication(String classPath, String brokerClassPath, Jdk jdk, Path log) throws IOException {
		this.broker = new ProcessBuilder(jdk.java(), "-cp", brokerClassPath, PACKAGE + "Broker")
			.redirectError(log.toFile())
			.start();
		this.answers = this.broker.inputReader();
		this.records = this.broker.outputWriter();
		this.arguments = List.of("-cp", classPath, PACKAGE + "ListenerApplication",
				"--spring.kafka.bootstrap-servers=" + Lines.await(this.answers, "broker at "));
	}

	@Override
	public String name() {
		return "spring-kafka";
	}

	@Override
	public List<String> arguments() {
		return this.arguments;
	}

	@Override
	public void send() throws IOException {
		this.records.write("tea\n");
		this.records.flush();
		Lines.await(this.answers, "sent");
	}

	@Override
	public Instant awaitApplied(BufferedReader output) throws IOException {
		return Instant.ofEpochMilli(Long.parseLong(Lines.await(output, "handled at ")));
	}

	/** Ends the broker, which deletes its data. */
	@Override
	public void close() {
		try {
			this.records.close();
			this.broker.waitFor(BROKER_ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The broker takes no end.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.broker.destroyForcibly();
		}
	}

}
