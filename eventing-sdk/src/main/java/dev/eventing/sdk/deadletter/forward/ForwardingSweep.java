package dev.eventing.sdk.deadletter.forward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.deadletter.forward.LetterPublisher.Part;
import dev.eventing.sdk.deadletter.ledger.UnforwardedLetters.Waiting;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.nats.SubjectFilters;
import org.jspecify.annotations.Nullable;

/**
 * One pass over all letters that wait, and why some of them still wait. After two
 * portions in a row without a result, the rest of the pass skips their stream, or their
 * subject. For one thread.
 */
final class ForwardingSweep {

	/** The most letters that are read and published together. */
	private static final int PORTION = 100;

	/** The most bytes of these letters; a single letter may have more. */
	private static final long PORTION_BYTES = 4 << 20;

	private final LetterPublisher publisher;

	private final BooleanSupplier stopping;

	/** The streams that take letters. */
	private final Streams.Carrying takers;

	/** The number of portions in a row without a result, by subject and by stream. */
	private final Map<String, Integer> silentSubjects = new HashMap<>();

	private final Map<String, Integer> silentStreams = new HashMap<>();

	private @Nullable String uncarried;

	private @Nullable NatsUnavailableException failure;

	/**
	 * Asks which streams take letters.
	 * @param stopping whether to publish no more
	 */
	ForwardingSweep(Streams streams, LetterPublisher publisher, BooleanSupplier stopping) {
		this.publisher = publisher;
		this.stopping = stopping;
		this.takers = streams.carrying(DeadLetterMessages.ROOT + ".>");
	}

	boolean hasTakers() {
		return !this.takers.subjects().isEmpty();
	}

	/** Forwards these, in portions to each stream. */
	void forward(List<Waiting> page) throws InterruptedException {
		Map<String, Portion> portions = new LinkedHashMap<>();
		for (Waiting letter : page) {
			String subject = DeadLetterMessages.subjectOf(letter);
			String stream = takerOf(subject);
			if (stream == null) {
				this.uncarried = (this.uncarried != null) ? this.uncarried : subject;
			}
			else if (!isGivenUp(this.silentSubjects, subject)) {
				Portion portion = portions.computeIfAbsent(stream, (name) -> new Portion());
				if (!portion.hasRoomFor(letter)) {
					forward(stream, portion);
					portion = new Portion();
					portions.put(stream, portion);
				}
				portion.add(letter);
			}
		}
		for (Map.Entry<String, Portion> last : portions.entrySet()) {
			forward(last.getKey(), last.getValue());
		}
	}

	private @Nullable String takerOf(String subject) {
		return this.takers.subjects()
			.entrySet()
			.stream()
			.filter((taker) -> taker.getValue().stream().anyMatch((taken) -> SubjectFilters.covers(taken, subject)))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	private void forward(String stream, Portion portion) throws InterruptedException {
		if (isGivenUp(this.silentStreams, stream) || this.stopping.getAsBoolean()) {
			return;
		}
		Part part = this.publisher.publish(portion.ids());
		this.failure = (part.failure() != null) ? part.failure() : this.failure;
		count(this.silentStreams, stream, part.unanswered());
		portion.silentSubjects(part.left()).forEach((subject, silent) -> count(this.silentSubjects, subject, silent));
	}

	private static void count(Map<String, Integer> inARow, String name, boolean silent) {
		if (silent) {
			inARow.merge(name, 1, Integer::sum);
		}
		else {
			inARow.remove(name);
		}
	}

	private static boolean isGivenUp(Map<String, Integer> inARow, String name) {
		return inARow.getOrDefault(name, 0) > 1;
	}

	/**
	 * Throws why letters still wait, if a pass has found a reason.
	 * @param rest the letters that were not looked at, because no stream takes any
	 * letter, or the worker stops
	 * @throws NatsUnavailableException if letters were not confirmed, or a stream that
	 * may take them does not answer
	 * @throws NoStreamException if no stream takes some letters
	 */
	void end(List<Waiting> rest) {
		if (this.failure != null) {
			throw this.failure;
		}
		String without = (hasTakers() || rest.isEmpty()) ? this.uncarried : DeadLetterMessages.subjectOf(rest.get(0));
		if (without != null && this.takers.unanswered() != null) {
			throw this.takers.unanswered();
		}
		if (without != null) {
			throw new NoStreamException("No stream carries '" + without
					+ "', so letters stay in the ledger only. Consider a stream with subject '"
					+ DeadLetterMessages.ROOT + ".>', or eventing.deadletters.forward=false.");
		}
	}

	/** Letters for one stream that are held in memory together. */
	private static final class Portion {

		private final List<Waiting> letters = new ArrayList<>();

		private long bytes;

		void add(Waiting letter) {
			this.letters.add(letter);
			this.bytes += letter.bytes();
		}

		boolean hasRoomFor(Waiting letter) {
			return this.letters.isEmpty()
					|| (this.letters.size() < PORTION && this.bytes + letter.bytes() <= PORTION_BYTES);
		}

		List<UUID> ids() {
			return this.letters.stream().map(Waiting::letterId).toList();
		}

		/** For each subject, whether all of its letters are left. */
		Map<String, Boolean> silentSubjects(Set<UUID> left) {
			Map<String, Boolean> silent = new HashMap<>();
			this.letters.forEach((letter) -> silent.merge(DeadLetterMessages.subjectOf(letter),
					left.contains(letter.letterId()), Boolean::logicalAnd));
			return silent;
		}

	}

	/** No stream takes the letters. */
	static final class NoStreamException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NoStreamException(String message) {
			super(message, null, false, false);
		}

	}

}
