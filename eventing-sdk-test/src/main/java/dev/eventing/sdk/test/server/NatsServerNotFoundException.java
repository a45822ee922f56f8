package dev.eventing.sdk.test.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;

/** No nats-server could be found or fetched. The message lists what was tried. */
public class NatsServerNotFoundException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final NatsServerLine line;

	private final transient List<Attempt> attempts;

	public NatsServerNotFoundException(NatsServerLine line, List<Attempt> attempts) {
		super(message(line, attempts));
		this.line = line;
		this.attempts = List.copyOf(attempts);
	}

	/** Each place that was tried, in order, with the reason of the failure. */
	public List<Attempt> attempts() {
		return this.attempts;
	}

	/** The same exception with one more attempt. */
	NatsServerNotFoundException after(Attempt attempt) {
		List<Attempt> all = new ArrayList<>(this.attempts);
		all.add(attempt);
		return new NatsServerNotFoundException(this.line, all);
	}

	private static String message(NatsServerLine line, List<Attempt> attempts) {
		return attempts.stream()
			.map((attempt) -> "  - " + attempt.place() + ": " + attempt.reason())
			.collect(Collectors.joining("\n", "No nats-server (" + line.expectation() + ") to test with. Tried:\n", """

					Consider one of:
					  - put nats-server 2.10 or newer on the PATH,
					  - name one with -Deventing.test.nats-server=/path/to/nats-server,
					  - start a Docker engine and run with -Deventing.test.servers=docker."""));
	}

	/**
	 * One place that was tried.
	 *
	 * @param place the place
	 * @param reason why no server was found there
	 */
	public record Attempt(String place, String reason) {

	}

}
