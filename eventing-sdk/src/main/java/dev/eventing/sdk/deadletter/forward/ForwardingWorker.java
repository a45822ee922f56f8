package dev.eventing.sdk.deadletter.forward;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.ForwarderStatus;
import dev.eventing.sdk.deadletter.forward.UnforwardedLetters.Waiting;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.EventPublisher.Published;
import dev.eventing.sdk.nats.EventRefusedException;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.RawEventPublisher;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.ApplicationPhase;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/** Forwards on a thread of its own, by a lease. Thread-safe. */
public final class ForwardingWorker implements DeadLetterForwarder, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ForwardingWorker.class);

	/** Of letters that are looked at together, without what they hold. */
	private static final int PAGE = 1000;

	/** Of letters that are read and published together. */
	private static final int PORTION = 100;

	/** Of these in bytes, or one letter if that has more. */
	private static final long PORTION_BYTES = 4 << 20;

	private static final Duration POLL = Duration.ofMillis(500);

	/** While there is nothing to forward the pause doubles so often, to two seconds. */
	private static final int IDLE_DOUBLINGS = 2;

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

	private static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(5);

	private final NatsClient client;

	private final Streams streams;

	private final RawEventPublisher publisher;

	private final UnforwardedLetters letters;

	private volatile ForwarderStatus status = new ForwarderStatus(ForwarderState.STOPPED, "", 0, 0);

	private final SupervisedWorker worker = SupervisedWorker.daemon("dead-letter-forwarder", this::run);

	private final ApplicationPhase phase = new ApplicationPhase("dead-letter-forwarder");

	private final KeptLease lease;

	/** Sweeps in a row that had nothing to do. */
	private int idle;

	/**
	 * Asks no server yet.
	 * @param client the connection to NATS
	 * @param streams the streams of the application; one of them may take {@code dlq.>}
	 * @param leases decides which node forwards
	 * @param dataSource where the ledger is
	 * @param schema the schema it is in
	 */
	public ForwardingWorker(NatsClient client, Streams streams, Leases leases, DataSource dataSource,
			EventingSchema schema) {
		this.client = client;
		this.streams = streams;
		this.publisher = new RawEventPublisher(client, streams);
		this.lease = new KeptLease(leases, LEASE);
		this.letters = new UnforwardedLetters(new JdbcTemplate(dataSource), schema, EventJson.mapper());
	}

	@Override
	public ForwarderStatus status() {
		ForwarderStatus last = this.status;
		WorkerFailure failure = this.worker.failure();
		return (failure != null)
				? new ForwarderStatus(ForwarderState.RESTARTING, failure.describe(), last.forwarded(), last.refused())
				: last;
	}

	@Override
	public void start() {
		this.phase.start(this.worker::start);
	}

	/** Waits for what is being published, a few seconds at most. */
	@Override
	public void stop() {
		this.phase.stop(this::end);
	}

	/** Returns at once: other parts stop at the same time. */
	@Override
	public void stop(Runnable callback) {
		this.phase.stop(this::end, callback);
	}

	private void end() {
		this.worker.stop();
		say(ForwarderState.STOPPED, "");
	}

	@Override
	public boolean isRunning() {
		return this.phase.isRunning();
	}

	@Override
	public int getPhase() {
		return ApplicationPhase.PHASE;
	}

	@Override
	public void close() {
		stop();
	}

	private void run() throws InterruptedException {
		int failures = 0;
		try {
			do {
				failures = sweep() ? 0 : failures + 1;
				this.worker.beat();
			}
			while (!this.worker.awaitStop(pauseAfter(failures)));
		}
		finally {
			this.lease.release();
			if (this.worker.isStopping()) {
				say(ForwarderState.STOPPED, "");
			}
		}
	}

	private Duration pauseAfter(int failures) {
		int doublings = (failures > 0) ? Math.min(failures, 10) : Math.min(this.idle, IDLE_DOUBLINGS);
		Duration pause = POLL.multipliedBy(1L << doublings);
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	/** Returns whether nothing was in the way, or letters were forwarded all the same. */
	private boolean sweep() throws InterruptedException {
		long before = this.status.forwarded();
		try {
			if (!this.lease.takeForWork()) {
				this.idle++;
				say(ForwarderState.STANDBY, "another node forwards");
				return true;
			}
			forwardAll();
			return true;
		}
		catch (NoStreamException ex) {
			say(ForwarderState.NO_STREAM, ex.getMessage());
		}
		catch (NatsUnavailableException | JetStreamConfigurationException ex) {
			say(ForwarderState.WAITING_FOR_NATS, String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException | TransactionException ex) {
			say(ForwarderState.WAITING_FOR_DATABASE, ex.getClass().getSimpleName());
		}
		return this.status.forwarded() > before;
	}

	private void forwardAll() throws InterruptedException {
		List<Waiting> page = this.letters.behind(0, PAGE);
		this.idle = page.isEmpty() ? this.idle + 1 : 0;
		if (!page.isEmpty()) {
			Sweep sweep = new Sweep();
			while (!page.isEmpty() && sweep.hasTakers() && !this.worker.isStopping()) {
				sweep.forward(page);
				this.worker.beat();
				page = this.letters.behind(page.get(page.size() - 1).number(), PAGE);
			}
			sweep.end(page);
		}
		long refused = this.status.refused();
		say(ForwarderState.FORWARDING, (refused == 0) ? "all letters are forwarded" : "all letters are forwarded; "
				+ refused + " could not be, since this node started, and stay in the" + " ledger only");
	}

	/** What is not confirmed is left for the next sweep. */
	private Part forward(List<DeadLetter> letters) throws InterruptedException {
		long began = System.nanoTime();
		Map<DeadLetter, CompletableFuture<Published>> confirmations = new LinkedHashMap<>();
		letters.forEach((letter) -> confirmations.put(letter, publish(letter)));
		List<DeadLetter> confirmed = new ArrayList<>();
		Set<UUID> left = new HashSet<>();
		Map<DeadLetter, Throwable> refused = new LinkedHashMap<>();
		NatsUnavailableException failure = null;
		for (Map.Entry<DeadLetter, CompletableFuture<Published>> each : confirmations.entrySet()) {
			DeadLetter letter = each.getKey();
			try {
				long rest = began + CONFIRMED_WITHIN.toNanos() - System.nanoTime();
				each.getValue().get(Math.max(0, rest), TimeUnit.NANOSECONDS);
				confirmed.add(letter);
			}
			catch (ExecutionException | TimeoutException ex) {
				if (isRefused(ex)) {
					refused.put(letter, ex.getCause());
				}
				else {
					left.add(letter.letterId());
					failure = notConfirmed(letter, ex);
				}
			}
		}
		this.letters.forwarded(confirmed);
		refused.forEach(this::refuse);
		ForwarderStatus last = this.status;
		this.status = new ForwarderStatus(last.state(), last.detail(), last.forwarded() + confirmed.size(),
				last.refused() + refused.size());
		boolean late = System.nanoTime() - began >= CONFIRMED_WITHIN.toNanos();
		return new Part(left, failure, late && left.size() == letters.size());
	}

	private void refuse(DeadLetter letter, Throwable error) {
		String reason = String.valueOf(unwrapped(error).getMessage());
		this.letters.refused(letter, reason);
		logger.warn("Dead letter '{}' of projector '{}' cannot be forwarded and stays in the ledger only: {}",
				letter.letterId(), letter.projector(), reason);
	}

	private CompletableFuture<Published> publish(DeadLetter letter) {
		return publish(() -> DeadLetterMessages.of(letter)).exceptionallyCompose((error) -> isRefused(error)
				? publish(() -> DeadLetterMessages.withoutPayload(letter)) : CompletableFuture.failedFuture(error));
	}

	/**
	 * Never throws: what one letter runs into must not cost the others' confirmations.
	 */
	private CompletableFuture<Published> publish(Supplier<RawEvent> message) {
		try {
			return this.publisher.publishAsync(message.get());
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** By the stream, or since no message can be made of it. */
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

	private void say(ForwarderState state, @Nullable String detail) {
		ForwarderStatus last = this.status;
		this.status = new ForwarderStatus(state, (detail != null) ? detail : "", last.forwarded(), last.refused());
		if (last.state() == state) {
			return;
		}
		switch (state) {
			case NO_STREAM, WAITING_FOR_NATS, WAITING_FOR_DATABASE ->
				logger.warn("Dead letters are not forwarded now; it is tried again: {}", detail);
			case FORWARDING, STANDBY, STOPPED, RESTARTING ->
				logger.debug("The forwarder of dead letters is {}.", state);
		}
	}

	/**
	 * What became of letters that were published together.
	 *
	 * @param left those of which nothing is known yet
	 * @param failure why, of one of them; null if there are none
	 * @param unanswered whether none of them was answered in time
	 */
	private record Part(Set<UUID> left, @Nullable NatsUnavailableException failure, boolean unanswered) {
	}

	/** Letters that go to one stream and may be held at once. */
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

		/** Per subject, whether nothing became of any of its letters. */
		Map<String, Boolean> silentSubjects(Set<UUID> left) {
			Map<String, Boolean> silent = new HashMap<>();
			this.letters.forEach(
					(letter) -> silent.merge(letter.subject(), left.contains(letter.letterId()), Boolean::logicalAnd));
			return silent;
		}

	}

	/**
	 * A look at all letters that wait, and what stood in the way of some. A subject to
	 * which nothing can be published for now, or a stream that does not answer, is passed
	 * over until the next one.
	 */
	private final class Sweep {

		/** The streams that take letters. */
		private final Streams.Carrying takers = ForwardingWorker.this.streams.carrying(DeadLetterMessages.ROOT + ".>");

		/** How many parts in a row came to nothing, per subject and per stream. */
		private final Map<String, Integer> silentSubjects = new HashMap<>();

		private final Map<String, Integer> silentStreams = new HashMap<>();

		private @Nullable String uncarried;

		private @Nullable NatsUnavailableException failure;

		boolean hasTakers() {
			return !this.takers.subjects().isEmpty();
		}

		void forward(List<Waiting> page) throws InterruptedException {
			Map<String, Portion> portions = new LinkedHashMap<>();
			for (Waiting letter : page) {
				String stream = takerOf(letter.subject());
				if (stream == null) {
					this.uncarried = (this.uncarried != null) ? this.uncarried : letter.subject();
				}
				else if (!isGivenUp(this.silentSubjects, letter.subject())) {
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
			if (isGivenUp(this.silentStreams, stream) || ForwardingWorker.this.worker.isStopping()) {
				return;
			}
			ForwardingWorker.this.client.requireConnected();
			Part part = ForwardingWorker.this.forward(ForwardingWorker.this.letters.read(portion.ids()));
			this.failure = (part.failure() != null) ? part.failure() : this.failure;
			count(this.silentStreams, stream, part.unanswered());
			portion.silentSubjects(part.left())
				.forEach((subject, silent) -> count(this.silentSubjects, subject, silent));
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
		 * Says what stood in the way, if anything did.
		 * @param rest what was not looked at, because no stream takes any letter
		 */
		void end(List<Waiting> rest) {
			if (this.failure != null) {
				throw this.failure;
			}
			String without = (hasTakers() || rest.isEmpty()) ? this.uncarried : rest.get(0).subject();
			if (without != null && this.takers.unanswered() != null) {
				throw this.takers.unanswered();
			}
			if (without != null) {
				throw new NoStreamException("No stream carries '" + without
						+ "', so letters stay in the ledger only. Consider a stream with subject '"
						+ DeadLetterMessages.ROOT + ".>', or eventing.deadletters.forward=false.");
			}
		}

	}

	/** Nobody takes the letters. */
	private static final class NoStreamException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NoStreamException(String message) {
			super(message, null, false, false);
		}

	}

}
