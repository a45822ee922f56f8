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
import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.deadletter.ledger.ParkedLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks later events of a key that has an open dead letter, without a call of their
 * handler. Shared by all lanes of a projector. Thread-safe.
 */
public final class FollowerParking {

	private static final Logger logger = LoggerFactory.getLogger(FollowerParking.class);

	private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

	private static final Duration LOOK_AGAIN_PER_KEY = Duration.ofMillis(10);

	/** A redrive of one letter hardly ever takes so long. */
	private static final Duration LONG = Duration.ofSeconds(10);

	private final ProjectorId projector;

	private final DeadLetterPolicy options;

	private final FencedTransactions transactions;

	private final ParkedLetters letters;

	private final EventTables tables;

	private final ParkedKeys keys;

	/** The most open letters of a key. */
	private final int limit;

	private final DeadLetterFactory factory;

	/** Keys whose number of open letters has reached the limit. */
	private final Set<String> full = ConcurrentHashMap.newKeySet();

	/**
	 * Keys whose last letter was being redriven or changed at the last look, and since
	 * when.
	 */
	private final Map<String, Long> running = new ConcurrentHashMap<>();

	/** Keys that are in the log as full, until they have no open letter. */
	private final Set<String> alarmed = ConcurrentHashMap.newKeySet();

	private volatile boolean known;

	/**
	 * Asks the database for nothing yet.
	 * @param limited whether a key has a limit of open letters; not while a read model is
	 * filled, because no letter can be redriven then
	 */
	public FollowerParking(DeadLetterPolicy options, FencedTransactions transactions, ParkedLetters letters,
			EventTables tables, ParkedKeys keys, boolean limited) {
		this.projector = tables.projector();
		this.options = options;
		this.limit = limited ? options.get(DeadLetters::parkingLimit) : Integer.MAX_VALUE;
		this.transactions = transactions;
		this.letters = letters;
		this.tables = tables;
		this.keys = keys;
		this.factory = new DeadLetterFactory(tables.projector(), options);
		this.known = !options.parksKeys();
	}

	/**
	 * Whether none of the events must be parked. Does not ask the database. False until
	 * the keys that earlier owners left parked are known.
	 */
	boolean areNoneOf(List<Work> works) {
		return this.known && (this.keys.isEmpty() || works.stream().noneMatch(this::mayFollow));
	}

	private boolean mayFollow(Work work) {
		return work.routed().handler() != null && this.keys.mayHold(this.factory.parkingKey(work.routed()));
	}

	private synchronized void learn() {
		if (!this.known) {
			this.keys.addAll(this.letters.openKeys(this.projector));
			this.known = true;
		}
	}

	/**
	 * How long {@link Outcome#undecided undecided} events wait before the next look.
	 * Grows with the number of their keys, so that the looks do not delay other keys.
	 */
	Duration untilNextLook() {
		return LOOK_AGAIN.plus(LOOK_AGAIN_PER_KEY.multipliedBy(this.running.size()));
	}

	/** The addition to the status that an operator should see, or empty. */
	public String alarm() {
		return waiting(this.full.size(), "has " + this.options.get(DeadLetters::parkingLimit) + " open dead letters")
				+ waiting(locked(),
						"has its last dead letter locked by a transaction for more than " + LONG.toSeconds() + " s");
	}

	private static String waiting(long keys, String why) {
		return (keys > 0) ? "; " + keys + ((keys == 1) ? " key waits: it " : " keys wait: each ") + why : "";
	}

	private long locked() {
		long now = System.nanoTime();
		return this.running.values().stream().filter((since) -> now - since > LONG.toNanos()).count();
	}

	/**
	 * Parks, in one transaction, those of the events whose key has an open letter.
	 * @param works events in order
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	Outcome park(List<Work> works) {
		learn();
		Map<String, List<Work>> byKey = new LinkedHashMap<>();
		works.stream()
			.filter(this::mayFollow)
			.forEach((work) -> byKey
				.computeIfAbsent(String.valueOf(this.factory.parkingKey(work.routed())), (key) -> new ArrayList<>())
				.add(work));
		if (byKey.isEmpty()) {
			return Outcome.empty();
		}
		Outcome outcome = this.tables.texts().write((form) -> this.transactions.execute(() -> park(byKey, form)));
		byKey.keySet().stream().filter((key) -> !outcome.heldKeys().contains(key)).forEach(this::forget);
		return outcome;
	}

	private void forget(String parkingKey) {
		this.keys.forget(parkingKey);
		this.full.remove(parkingKey);
		this.running.remove(parkingKey);
		this.alarmed.remove(parkingKey);
	}

	private Outcome park(Map<String, List<Work>> byKey, TextForm form) {
		Outcome outcome = Outcome.empty();
		Map<String, UUID> last = this.letters.lastOpen(this.projector, byKey.keySet());
		Set<UUID> held = last.isEmpty() ? Set.of() : this.letters.hold(last.values());
		last.forEach((key, letterId) -> {
			outcome.heldKeys().add(key);
			List<Work> works = byKey.getOrDefault(key, List.of());
			if (held.contains(letterId)) {
				this.running.remove(key);
				park(key, works, form, outcome);
			}
			else {
				this.running.putIfAbsent(key, System.nanoTime());
				outcome.undecided().addAll(works);
			}
		});
		return outcome;
	}

	private void park(String key, List<Work> works, TextForm form, Outcome outcome) {
		int limit = this.limit;
		int room = (limit == Integer.MAX_VALUE) ? works.size()
				: Math.max(0, limit - this.letters.count(this.projector, key, limit));
		List<Work> fitting = works.subList(0, Math.min(room, works.size()));
		List<NewDeadLetter> followers = fitting.stream().map(this.factory::behind).map(form::letter).toList();
		this.tables.claims().giveUp(fitting.stream().map((work) -> work.routed().eventKey()).toList());
		List<Boolean> parked = this.letters.park(followers);
		for (int i = 0; i < fitting.size(); i++) {
			(parked.get(i) ? outcome.parked() : outcome.duplicates()).add(fitting.get(i));
		}
		this.tables.attempts().forget(Work.attempted(fitting));
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

	private void alarm(String key, Work work) {
		if (this.alarmed.add(key)) {
			logger.error(
					"Projector '{}' holds back {} at {} and the later events of its key, because"
							+ " {} dead letters of the key are open and 'parkingLimit' allows no more."
							+ " Consider redriving or discarding them, beginning with letter '{}'.",
					this.projector, DeadLetterFactory.describe(DeadLetterFactory.known(work.routed())), work,
					this.options.get(DeadLetters::parkingLimit),
					this.letters.first(this.projector, key).map(UUID::toString).orElse("of the key"));
		}
	}

	/**
	 * What happened to events. Events that are in none of the lists can run.
	 *
	 * @param heldKeys the parking keys that have an open letter
	 * @param parked the events that were parked
	 * @param duplicates the events that were applied before, or have a letter already
	 * @param waiting the events that cannot be parked, because their key has too many
	 * open letters
	 * @param undecided the events that may have to be parked: a redrive is running the
	 * last letter of their key, or an operator is changing it
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
