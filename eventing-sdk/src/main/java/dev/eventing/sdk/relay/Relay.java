package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.LeaseLostException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.RawEventPublisher;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.schema.TableGuard;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;

/**
 * One relay on this node: a thread that waits for its lease and publishes while it holds
 * it. After each interruption, such as a lost connection or an unreachable database, it
 * starts again by checking what the streams hold. Thread-safe.
 */
final class Relay {

	private static final Logger logger = LoggerFactory.getLogger(Relay.class);

	private static final Duration PAUSE = Duration.ofMillis(250);

	private final RelayOptions options;

	private final RelayServices services;

	private final JdbcTemplate jdbc;

	private final JdbcTransactionManager transactions;

	private final JdbcRelayPositions positions;

	private final JdbcRefusals refusals;

	private final LateEvents late;

	private final StreamTails tails;

	private final RelayAudit audit;

	private final RawEventPublisher publisher;

	private final RelayCounters counters = new RelayCounters();

	private final SupervisedWorker worker;

	private final RelayReport reported;

	private volatile boolean paused;

	private final LoggedTrouble logged;

	private final KeptLease lease;

	private final TableGuard tables;

	private final GivenAgain givenAgain;

	private final LoggedRetries retries;

	private final RelayCategories categories;

	/** Publishes now; null if nothing does. */
	private volatile @Nullable RelayRun running;

	/** Reads for it; null if nothing does. */
	private volatile @Nullable ReadAhead reading;

	/** With the categories that all relays of the application declare. */
	Relay(RelayOptions options, RelayServices services, Set<String> declared) {
		this.options = options;
		this.logged = new LoggedTrouble(options.name());
		this.retries = new LoggedRetries(options.name());
		this.givenAgain = new GivenAgain(options.name());
		this.services = services;
		this.lease = new KeptLease(services.leases(), options.lease());
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.tables = new TableGuard(services.dataSource(), services.schema());
		this.transactions = new JdbcTransactionManager(services.dataSource());
		this.positions = new JdbcRelayPositions(this.jdbc, services.schema(), options.name());
		this.refusals = new JdbcRefusals(this.jdbc, services.schema(), options.name(), options.refusedEvents());
		this.late = new LateEvents(this.jdbc, services.schema(), options.name());
		this.categories = new RelayCategories(options, declared,
				new JdbcRelayCategories(this.jdbc, services.dataSource(), services.schema(), options.name()));
		this.tails = new StreamTails(services.client());
		this.audit = new RelayAudit(options, this.tails, services.log(), this.positions, this.late,
				new PrunedHistory(this.jdbc, services.schema()));
		this.worker = SupervisedWorker.of("relay-" + options.name(), this::run);
		this.publisher = new RawEventPublisher(services.client(), services.streams());
		this.reported = new RelayReport(options, this.counters);
	}

	RelayOptions options() {
		return this.options;
	}

	RelayStatus status() {
		return this.reported.status(this.worker.failure(), this.worker.stalls(this.options.stalledAfter()),
				this.lease.held(), silentFor());
	}

	/** How long the database has let it wait. Nothing else makes a turn last long. */
	private Duration silentFor() {
		RelayRun run = this.running;
		Duration silent = (run != null) ? run.silentFor() : Duration.ZERO;
		Duration turn = this.reported.sinceTurn();
		return (run == null || silent.compareTo(turn) > 0) ? silent : turn;
	}

	private void goesOn() {
		this.reported.goesOn();
		this.logged.over();
	}

	/** Another node may have published meanwhile. */
	private void forget() {
		this.retries.forget();
		this.categories.forget();
		goesOn();
	}

	/** What makes no progress: the relay, or the thread that reads ahead for it. */
	Stream<Stall> stalls(Duration longest) {
		ReadAhead reader = this.reading;
		RelayStatus current = status();
		Stream<Stall> own = (current.state() == RelayState.STALLED)
				? Stream
					.of(new Stall(this.worker.name(),
							current.detail() + " Position " + current.position() + ", " + current.window()
									+ " events in the window",
							this.reported.standsStillFor(), stack()))
				: Stream.empty();
		return Stream.concat(own, (reader != null) ? reader.stalls(longest).stream() : Stream.empty());
	}

	/**
	 * The stack of the thread that saves, or if it does not, of the one that publishes.
	 */
	private List<StackTraceElement> stack() {
		RelayRun run = this.running;
		List<StackTraceElement> saving = (run != null) ? run.savingStack() : List.of();
		return saving.isEmpty() ? this.worker.stack() : saving;
	}

	synchronized void start() {
		if (!this.worker.isRunning()) {
			forget();
			this.reported.is(RelayState.STARTING, "");
			this.worker.start();
		}
	}

	/** Waits until what is in flight is confirmed, a few seconds at most. */
	synchronized void stop() {
		this.worker.stop();
		this.reported.is(RelayState.STOPPED, "");
	}

	void pause(boolean on) {
		this.paused = on;
	}

	private void run() throws InterruptedException {
		try {
			while (!this.worker.isStopping()) {
				runOnce();
				this.worker.beat();
			}
		}
		finally {
			release();
			if (this.worker.isStopping()) {
				this.reported.is(RelayState.STOPPED, "");
			}
		}
	}

	private void runOnce() throws InterruptedException {
		try {
			Lease owned = owned();
			if (owned != null) {
				publish(owned);
			}
		}
		catch (LeaseLostException ex) {
			logger.info("Relay '{}' stands by: {}", this.options.name(), ex.getMessage());
		}
		catch (NatsUnavailableException ex) {
			interrupted(RelayState.WAITING_FOR_NATS, ex);
		}
		catch (DataAccessException | TransactionException ex) {
			interrupted(RelayReport.stateAfter(ex), ex);
		}
		catch (LogSetBackException ex) {
			logger.warn("Relay '{}' compares its streams with the event store again: {}", this.options.name(),
					ex.getMessage());
			rest(PAUSE);
		}
		catch (RestoredDatabaseException ex) {
			interrupted(RelayState.REFUSED, ex);
		}
		catch (EventingException ex) {
			interrupted(RelayState.FAILED, ex);
		}
	}

	private @Nullable Lease owned() throws InterruptedException {
		Lease owned = this.lease.take();
		if (owned == null) {
			this.givenAgain.audited(); // by the node that publishes
			forget();
			this.reported.is(RelayState.STANDBY,
					this.lease.holder()
						.map(LeaseHolder::owner)
						.map((owner) -> "Node '" + owner + "' publishes.")
						.orElse(""));
			rest(this.lease.retryAfter());
		}
		return owned;
	}

	/** Publishes until an interruption. */
	private void publish(Lease owned) throws InterruptedException {
		this.services.client().requireConnected();
		long generation = this.services.client().generation();
		this.tables.require();
		ErasureWatch erasures = new ErasureWatch(this.jdbc, this.services.schema());
		this.positions.describe(this.options.subjects().toString());
		Resumption resumption = this.audit.resume(this.givenAgain.sequences());
		RelayCheckpoint checkpoint = begin(owned, resumption);
		this.categories.begin(checkpoint, resumption.reached());
		SetAside aside = new SetAside(this.options, this.refusals, checkpoint, this.tails);
		StoppedStreams streams = new StoppedStreams(this.options.refusedEvents(), this.refusals, this.services.log(),
				checkpoint, aside);
		streams.load();
		try (RelayRun run = run(owned, resumption, checkpoint, streams, aside)) {
			this.running = run;
			boolean erased = false;
			this.reported.turns();
			while (!this.worker.isStopping() && !owned.isLost() && !run.isSuspicious() && !erased
					&& generation == this.services.client().generation()) {
				turn(run, streams, resumption);
				erased = erasures.isNews();
			}
			if (this.worker.isStopping() || erased) {
				run.finish();
			}
		}
		finally {
			ended(checkpoint);
		}
	}

	private void turn(RelayRun run, StoppedStreams streams, Resumption resumption) throws InterruptedException {
		this.services.client().requireConnected();
		this.tables.requireLately();
		run.turn(this.paused);
		report(run, streams, resumption.warning());
		beat(run);
	}

	private void ended(RelayCheckpoint checkpoint) {
		this.running = null;
		this.reading = null;
		this.givenAgain.foundBy(checkpoint);
	}

	private RelayCheckpoint begin(Lease owned, Resumption resumption) {
		RelayCheckpoint checkpoint = new RelayCheckpoint(owned, this.transactions, this.jdbc, this.positions,
				this.refusals, this.late);
		checkpoint.rewind(resumption)
			.forEach((stream, events) -> logger.warn(
					"Relay '{}': stream '{}' has lost {} events that it had got late. They are published again.",
					this.options.name(), stream, events));
		this.givenAgain.audited();
		checkpoint.begin(resumption.position(), resumption.marks());
		return checkpoint;
	}

	private RelayRun run(Lease owned, Resumption resumption, RelayCheckpoint checkpoint, StoppedStreams streams,
			SetAside aside) {
		WakeUp wakeUp = new WakeUp();
		Outbox outbox = new Outbox(this.publisher, new RelayMessages(this.options, this.services.writer(),
				owned.owner(), owned.epoch(), resumption.seal()), this.options.publishMode(), wakeUp);
		ReadAhead readAhead = new ReadAhead(this.options, this.services.log().reader(resumption.position()),
				this.services.signal(), wakeUp);
		this.reading = readAhead;
		return new RelayRun(this.options, owned, resumption, new RelayRun.Resources(readAhead, wakeUp, outbox,
				checkpoint, streams, this.tails, aside, this.counters, this.categories, this.retries));
	}

	/** A publish is progress only once the position is saved. */
	private void beat(RelayRun run) {
		if (this.paused || run.hasGoneOn()) {
			goesOn();
			this.worker.beat();
		}
		else if (run.trouble() != null) {
			this.worker.beat(); // it works, and JetStream does not
		}
	}

	private void report(RelayRun run, StoppedStreams streams, String warning) {
		String trouble = run.trouble();
		RelayState state = this.paused ? RelayState.PAUSED
				: (trouble != null) ? RelayState.WAITING_FOR_NATS : RelayState.RUNNING;
		String detail = (trouble != null) ? trouble
				: RelayReport.joined(warning, this.categories.detail(), streams.waitingFor());
		this.reported.is(state, detail, run, streams.size());
	}

	private void interrupted(RelayState state, RuntimeException cause) throws InterruptedException {
		this.reported.is(state, RelayReport.why(cause));
		this.logged.met(state, cause);
		rest(PAUSE);
	}

	private void rest(Duration pause) throws InterruptedException {
		if (this.worker.awaitStop(pause)) {
			logger.debug("Relay '{}' stops.", this.options.name());
		}
	}

	private void release() {
		this.publisher.close();
		this.lease.release();
	}

}
