package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.ledger.ParkedLetters;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks later events of keys whose event is a dead letter, behind that letter and without
 * running a handler. One for all lanes of a projector; thread-safe.
 */
public final class FollowerParking {

	private static final Logger logger = LoggerFactory.getLogger(FollowerParking.class);

	private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

	private static final Duration LOOK_AGAIN_PER_KEY = Duration.ofMillis(10);

	private final String projector;

	private final DeadLetterPolicy options;

	private final FencedTransactions transactions;

	private final ParkedLetters letters;

	private final JdbcAttempts attempts;

	private final ParkedKeys keys;

	private final DeadLetterFactory form;

	/** Keys that have as many open letters as they may. */
	private final Set<String> full = ConcurrentHashMap.newKeySet();

	/** Keys whose last letter was being run, or changed, when it was looked at last. */
	private final Set<String> running = ConcurrentHashMap.newKeySet();

	/** Keys that were full since they were free, so that a person was told. */
	private final Set<String> alarmed = ConcurrentHashMap.newKeySet();

	private volatile boolean known;

	public FollowerParking(String projector, DeadLetterPolicy options, FencedTransactions transactions,
			ParkedLetters letters, JdbcAttempts attempts, ParkedKeys keys) {
		this.projector = projector;
		this.options = options;
		this.transactions = transactions;
		this.letters = letters;
		this.attempts = attempts;
		this.keys = keys;
		this.form = new DeadLetterFactory(projector, options);
		this.known = !options.parksKeys();
	}

	/**
	 * Whether all of the events can run; costs next to nothing. False also as long as it
	 * does not know what owners before have left parked.
	 */
	boolean areNoneOf(List<Work> works) {
		return this.known && (this.keys.isEmpty() || works.stream().noneMatch(this::mayFollow));
	}

	private boolean mayFollow(Work work) {
		return work.handler() != null && this.keys.mayHold(this.form.parkingKey(work));
	}

	private synchronized void learn() {
		if (!this.known) {
			this.keys.addAll(this.letters.openKeys(this.projector));
			this.known = true;
		}
	}

	/**
	 * How long events of which {@link Outcome#undecided nobody can tell yet} wait before
	 * another look; the more keys have some the longer, so that the others go on.
	 */
	Duration untilNextLook() {
		return LOOK_AGAIN.plus(LOOK_AGAIN_PER_KEY.multipliedBy(this.running.size()));
	}

	/** What a person must know of, or empty. */
	public String alarm() {
		int keys = this.full.size();
		return (keys > 0) ? "; " + keys + ((keys == 1) ? " key waits" : " keys wait") + ", since "
				+ this.options.parkingLimit() + " dead letters of each are open" : "";
	}

	/**
	 * Parks, in one transaction, those of the events whose key has an open letter.
	 * @param works events in order, not {@link #areNoneOf none} of which may follow
	 */
	Outcome park(List<Work> works) {
		learn();
		Map<String, List<Work>> byKey = new LinkedHashMap<>();
		works.stream()
			.filter(this::mayFollow)
			.forEach((work) -> byKey
				.computeIfAbsent(String.valueOf(this.form.parkingKey(work)), (key) -> new ArrayList<>())
				.add(work));
		if (byKey.isEmpty()) {
			return Outcome.empty();
		}
		Outcome outcome = this.transactions.execute(() -> park(byKey));
		byKey.keySet().stream().filter((key) -> !outcome.heldKeys().contains(key)).forEach(this::forget);
		return outcome;
	}

	private void forget(String parkingKey) {
		this.keys.forget(parkingKey);
		this.full.remove(parkingKey);
		this.running.remove(parkingKey);
		this.alarmed.remove(parkingKey);
	}

	private Outcome park(Map<String, List<Work>> byKey) {
		Outcome outcome = Outcome.empty();
		Map<String, UUID> last = this.letters.lastOpen(this.projector, byKey.keySet());
		Set<UUID> held = last.isEmpty() ? Set.of() : this.letters.hold(last.values());
		last.forEach((key, letterId) -> {
			outcome.heldKeys().add(key);
			List<Work> works = byKey.getOrDefault(key, List.of());
			if (held.contains(letterId)) {
				this.running.remove(key);
				park(key, works, outcome);
			}
			else {
				this.running.add(key);
				outcome.undecided().addAll(works);
			}
		});
		return outcome;
	}

	private void park(String key, List<Work> works, Outcome outcome) {
		int limit = this.options.parkingLimit();
		int room = Math.max(0, limit - this.letters.count(this.projector, key, limit));
		List<Work> fitting = works.subList(0, Math.min(room, works.size()));
		List<NewDeadLetter> followers = fitting.stream().map(this.form::behind).toList();
		List<Boolean> parked = this.letters.park(followers);
		for (int i = 0; i < fitting.size(); i++) {
			(parked.get(i) ? outcome.parked() : outcome.duplicates()).add(fitting.get(i));
		}
		forgetAttempts(fitting);
		List<Work> waiting = works.subList(fitting.size(), works.size());
		if (waiting.isEmpty()) {
			this.full.remove(key);
		}
		else {
			outcome.waiting().addAll(waiting);
			this.full.add(key);
			alarm(key, waiting.get(0));
		}
	}

	private void forgetAttempts(List<Work> works) {
		List<EventKey> attempted = works.stream().filter(Work::isAttempted).map(Work::eventKey).toList();
		if (!attempted.isEmpty()) {
			this.attempts.forget(attempted);
		}
	}

	private void alarm(String key, Work work) {
		if (this.alarmed.add(key)) {
			logger.error(
					"Projector '{}' holds back {} at {}, and what comes after it in its key:"
							+ " {} dead letters of the key are open, and 'parkingLimit' allows no more."
							+ " Consider redriving or discarding them, first of all letter '{}'; then it goes on.",
					this.projector, DeadLetterFactory.known(work), work, this.options.parkingLimit(),
					this.letters.first(this.projector, key).map(UUID::toString).orElse("of the key"));
		}
	}

	/**
	 * What became of events. Those that are in none of the lists are free to run.
	 *
	 * @param heldKeys the parking keys that have an open letter
	 * @param parked are parked now
	 * @param duplicates were applied before, or have a letter already
	 * @param waiting cannot be parked, since their keys have too many letters
	 * @param undecided may have to be parked: a redrive runs the last letter of their
	 * key, or somebody changes it
	 */
	record Outcome(Set<String> heldKeys, List<Work> parked, List<Work> duplicates, List<Work> waiting,
			List<Work> undecided) {

		static Outcome empty() {
			return new Outcome(new HashSet<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
					new ArrayList<>());
		}

		static Outcome allWait(List<Work> works) {
			return new Outcome(Set.of(), List.of(), List.of(), List.copyOf(works), List.of());
		}

	}

}
