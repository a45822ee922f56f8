package dev.eventing.sdk.deadletter.forward;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.ledger.UnforwardedLetters;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.EventRefusedException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.RawEventPublisher;
import dev.eventing.sdk.nats.Streams;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes letters, waits for their confirmations, and records in the ledger what became
 * of each. One thread publishes; any thread may read the counts.
 */
final class LetterPublisher {

	private static final Logger logger = LoggerFactory.getLogger(LetterPublisher.class);

	private static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(5);

	private final NatsClient client;

	private final RawEventPublisher publisher;

	private final UnforwardedLetters letters;

	private final LongAdder forwarded = new LongAdder();

	private final LongAdder refused = new LongAdder();

	LetterPublisher(NatsClient client, Streams streams, UnforwardedLetters letters) {
		this.client = client;
		this.publisher = new RawEventPublisher(client, streams);
		this.letters = letters;
	}

	/** The number of letters that were confirmed. */
	long forwarded() {
		return this.forwarded.sum();
	}

	/** The number of letters that the stream can never accept. */
	long refused() {
		return this.refused.sum();
	}

	/**
	 * Publishes letters together. A letter that is not confirmed in time is left for the
	 * next sweep.
	 * @throws NatsUnavailableException if there is no connection; nothing was published
	 */
	Part publish(Collection<UUID> letterIds) throws InterruptedException {
		this.client.requireConnected();
		List<DeadLetter> read = this.letters.read(letterIds);
		long began = System.nanoTime();
		Map<DeadLetter, CompletableFuture<Published>> confirmations = new LinkedHashMap<>();
		read.forEach((letter) -> confirmations.put(letter, publish(letter)));
		List<DeadLetter> confirmed = new ArrayList<>();
		Set<UUID> left = new HashSet<>();
		Map<DeadLetter, Throwable> rejected = new LinkedHashMap<>();
		NatsUnavailableException failure = null;
		for (Map.Entry<DeadLetter, CompletableFuture<Published>> each : confirmations.entrySet()) {
			DeadLetter letter = each.getKey();
			Exception error = await(each.getValue(), began + CONFIRMED_WITHIN.toNanos());
			if (error == null) {
				confirmed.add(letter);
			}
			else if (isRefused(error)) {
				rejected.put(letter, error);
			}
			else {
				left.add(letter.letterId());
				failure = notConfirmed(letter, error);
			}
		}
		this.letters.forwarded(confirmed);
		rejected.forEach(this::refuse);
		this.forwarded.add(confirmed.size());
		boolean late = System.nanoTime() - began >= CONFIRMED_WITHIN.toNanos();
		return new Part(left, failure, late && left.size() == read.size());
	}

	/** Returns why the letter is not confirmed by the end; null if it is. */
	private static @Nullable Exception await(CompletableFuture<Published> confirmation, long end)
			throws InterruptedException {
		try {
			confirmation.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
			return null;
		}
		catch (ExecutionException | TimeoutException ex) {
			return ex;
		}
	}

	private void refuse(DeadLetter letter, Throwable error) {
		String reason = String.valueOf(unwrapped(error).getMessage());
		this.letters.refused(letter, reason);
		this.refused.increment();
		logger.warn("Dead letter '{}' of projector '{}' cannot be forwarded and stays in the ledger only: {}",
				letter.letterId(), letter.projector(), reason);
	}

	private CompletableFuture<Published> publish(DeadLetter letter) {
		return publish(() -> DeadLetterMessages.of(letter)).exceptionallyCompose((error) -> isRefused(error)
				? publish(() -> DeadLetterMessages.withoutPayload(letter)) : CompletableFuture.failedFuture(error));
	}

	/**
	 * Never throws: a failure of one letter must not cost the others' confirmations.
	 */
	private CompletableFuture<Published> publish(Supplier<RawEvent> message) {
		try {
			return this.publisher.publishAsync(message.get());
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Whether the stream refused the letter, or no message can be made of it. */
	private static boolean isRefused(Throwable error) {
		Throwable cause = unwrapped(error);
		return cause instanceof EventRefusedException || cause instanceof IllegalArgumentException;
	}

	private static Throwable unwrapped(Throwable error) {
		boolean wrapped = error instanceof CompletionException || error instanceof ExecutionException;
		Throwable cause = error.getCause();
		return (wrapped && cause != null) ? unwrapped(cause) : error;
	}

	private static NatsUnavailableException notConfirmed(DeadLetter letter, Exception cause) {
		Throwable why = (cause.getCause() != null) ? cause.getCause() : cause;
		return new NatsUnavailableException("Dead letter '" + letter.letterId()
				+ "' is not confirmed by the dead-letter stream: " + why.getMessage(), why);
	}

	/**
	 * What became of letters that were published together.
	 *
	 * @param left the letters without a result yet
	 * @param failure why one of these is left; null if none is
	 * @param unanswered whether none of them was answered in time
	 */
	record Part(Set<UUID> left, @Nullable NatsUnavailableException failure, boolean unanswered) {
	}

}
