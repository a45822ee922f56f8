package dev.eventing.sdk.deadletter.forward;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.ForwarderStatus;
import dev.eventing.sdk.deadletter.forward.ForwardingSweep.NoStreamException;
import dev.eventing.sdk.deadletter.ledger.UnforwardedLetters;
import dev.eventing.sdk.deadletter.ledger.UnforwardedLetters.Waiting;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.SweepingWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Forwards dead letters on a separate thread, while this node holds a lease. Thread-safe.
 */
public final class ForwardingWorker extends SweepingWorker implements DeadLetterForwarder {

	private static final Logger logger = LoggerFactory.getLogger(ForwardingWorker.class);

	/** The most letters that are looked up together, without their contents. */
	private static final int PAGE = 1000;

	private static final Duration POLL = Duration.ofMillis(500);

	/**
	 * The number of times the pause doubles while there is nothing to forward: to 2 s.
	 */
	private static final int IDLE_DOUBLINGS = 2;

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

	private final Streams streams;

	private final UnforwardedLetters letters;

	private final LetterPublisher publisher;

	private final KeptLease lease;

	private volatile Said said = new Said(ForwarderState.STOPPED, "");

	/** Sweeps in a row that had nothing to do. */
	private int idle;

	/** Sweeps in a row that failed. */
	private int failures;

	private boolean hasForwarded;

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
		super("dead-letter-forwarder");
		this.streams = streams;
		this.lease = new KeptLease(leases, LEASE);
		this.letters = new UnforwardedLetters(new JdbcTemplate(dataSource), schema, EventJson.mapper());
		this.publisher = new LetterPublisher(client, streams, this.letters);
	}

	@Override
	public ForwarderStatus status() {
		WorkerFailure failure = failure();
		Said last = (failure != null) ? new Said(ForwarderState.RESTARTING, failure.describe()) : this.said;
		return new ForwarderStatus(last.state(), last.detail(), this.publisher.forwarded(), this.publisher.refused());
	}

	@Override
	protected Duration firstPause() {
		return Duration.ZERO;
	}

	@Override
	protected Duration sweep(SupervisedWorker thread) throws InterruptedException {
		this.failures = goesWell(thread) ? 0 : this.failures + 1;
		int doublings = (this.failures > 0) ? Math.min(this.failures, 10) : Math.min(this.idle, IDLE_DOUBLINGS);
		Duration pause = POLL.multipliedBy(1L << doublings);
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	@Override
	protected void ended(boolean stopping) {
		this.lease.release();
		this.failures = 0;
		if (stopping) {
			stopped();
		}
	}

	@Override
	protected void stopped() {
		say(ForwarderState.STOPPED, "");
	}

	/** Returns whether nothing was in the way, or letters were forwarded all the same. */
	private boolean goesWell(SupervisedWorker thread) throws InterruptedException {
		long before = this.publisher.forwarded();
		try {
			if (!this.lease.takeForWork()) {
				this.idle++;
				say(ForwarderState.STANDBY, "another node forwards");
				return true;
			}
			forwardAll(thread);
			return true;
		}
		catch (NoStreamException ex) {
			say(hasForwarded() ? ForwarderState.NO_STREAM : ForwarderState.LEDGER_ONLY, ex.getMessage());
		}
		catch (NatsUnavailableException | JetStreamConfigurationException ex) {
			say(ForwarderState.WAITING_FOR_NATS, String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException | TransactionException ex) {
			say(ForwarderState.WAITING_FOR_DATABASE, ex.getClass().getSimpleName());
		}
		return this.publisher.forwarded() > before;
	}

	/** Whether this node or another has ever forwarded a letter. */
	private boolean hasForwarded() {
		if (!this.hasForwarded) {
			this.hasForwarded = this.publisher.forwarded() > 0 || this.letters.areForwarded();
		}
		return this.hasForwarded;
	}

	private void forwardAll(SupervisedWorker thread) throws InterruptedException {
		List<Waiting> page = this.letters.behind(0, PAGE);
		this.idle = page.isEmpty() ? this.idle + 1 : 0;
		if (!page.isEmpty()) {
			ForwardingSweep sweep = new ForwardingSweep(this.streams, this.publisher, thread::isStopping);
			while (!page.isEmpty() && sweep.hasTakers() && !thread.isStopping()) {
				sweep.forward(page);
				thread.beat();
				page = this.letters.behind(page.get(page.size() - 1).number(), PAGE);
			}
			sweep.end(page);
		}
		long refused = this.publisher.refused();
		say(ForwarderState.FORWARDING, (refused == 0) ? "all letters are forwarded" : "all letters are forwarded"
				+ " but " + refused + " refused since this node started; refused letters stay in the ledger only");
	}

	private void say(ForwarderState state, @Nullable String detail) {
		ForwarderState last = this.said.state();
		this.said = new Said(state, (detail != null) ? detail : "");
		if (last == state) {
			return;
		}
		switch (state) {
			case NO_STREAM, WAITING_FOR_NATS, WAITING_FOR_DATABASE ->
				logger.warn("Dead letters are not forwarded now; it is tried again: {}", detail);
			case LEDGER_ONLY -> logger.info("Dead letters are not forwarded: {}", detail);
			case FORWARDING, STANDBY, STOPPED, RESTARTING ->
				logger.debug("The forwarder of dead letters is {}.", state);
		}
	}

	/** The current state as the status shows it, without the counts. */
	private record Said(ForwarderState state, String detail) {
	}

}
