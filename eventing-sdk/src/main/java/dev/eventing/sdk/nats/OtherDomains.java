package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import org.jspecify.annotations.Nullable;

/**
 * Finds streams that carry a subject in whatever JetStream domain, such as those of the
 * hub when the client is connected to a leaf node. The API of one domain does not show
 * streams of another, but messages reach them. So an empty message is published that
 * expects a stream of a name which none has: each stream that carries the subject refuses
 * it, and gives its name. Thread-safe.
 */
final class OtherDomains {

	/** A token that no subject of events has. */
	private static final String TOKEN = "eventing-probe";

	/** A subject that ends in {@code >} is tried with up to this number of tokens. */
	private static final int DEPTH = 3;

	private static final int NOT_EXPECTED = 10060;

	private final NatsClient client;

	OtherDomains(NatsClient client) {
		this.client = client;
	}

	/**
	 * Subjects that fit these, each with the name of a stream that carries it. Waits for
	 * the request time-out only if somebody listens who does not answer.
	 */
	Map<String, String> carriers(Collection<String> subjects) {
		Map<String, CompletableFuture<Message>> answers = new LinkedHashMap<>();
		subjects.stream()
			.filter((subject) -> !subject.startsWith("$"))
			.flatMap((subject) -> examples(subject).stream())
			.forEach((subject) -> answers.put(subject, ask(subject)));
		long end = System.nanoTime() + this.client.requestTimeout().toNanos();
		Map<String, String> carriers = new LinkedHashMap<>();
		answers.forEach((subject, answer) -> {
			String stream = await(answer, end);
			if (stream != null) {
				carriers.put(subject, stream);
			}
		});
		return carriers;
	}

	static List<String> examples(String subject) {
		String concrete = subject.replace("*", TOKEN);
		if (!concrete.endsWith(">")) {
			return List.of(concrete);
		}
		List<String> examples = new ArrayList<>();
		String longer = concrete.substring(0, concrete.length() - 1);
		for (int tokens = 1; tokens <= DEPTH; tokens++) {
			longer += ((tokens > 1) ? "." : "") + TOKEN;
			examples.add(longer);
		}
		return examples;
	}

	private CompletableFuture<Message> ask(String subject) {
		Headers headers = new Headers().add("Nats-Expected-Stream", TOKEN);
		try {
			return this.client.connection()
				.requestWithTimeout(subject, headers, new byte[0], this.client.requestTimeout());
		}
		catch (IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static @Nullable String await(CompletableFuture<Message> answer, long end) {
		try {
			Message message = answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
			return message.isStatusMessage() ? null : streamOf(message);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NatsUnavailableException("Interrupted while waiting for the answer of JetStream.", ex);
		}
		catch (ExecutionException | TimeoutException | CancellationException | JsonParseException ex) {
			return null; // no stream answers like that
		}
	}

	/** Null if the answer is not that of a stream. */
	private static @Nullable String streamOf(Message answer) throws JsonParseException {
		JsonValue said = JsonParser.parse(new String(answer.getData(), StandardCharsets.UTF_8));
		JsonValue error = JsonValueUtils.readObject(said, "error");
		return (JsonValueUtils.readInteger(error, "err_code", 0) == NOT_EXPECTED)
				? JsonValueUtils.readString(said, "stream") : null;
	}

}
