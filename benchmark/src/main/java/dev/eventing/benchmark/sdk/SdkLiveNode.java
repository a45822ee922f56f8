package dev.eventing.benchmark.sdk;

import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.AccountState;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.NewEvent;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A node that does all: it appends, relays, folds events into the states of a live view,
 * and serves these over HTTP.
 */
public final class SdkLiveNode implements AutoCloseable {

	/** The table of the states, see {@link AccountState#rows}. */
	public static final String STATES = AccountState.rows("eventing.projection_snapshots", "key");

	private static final JsonMapper JSON = EventJson.mapper();

	private final AnnotationConfigApplicationContext context;

	private final ProjectorRound round;

	private final Appender appender;

	private final LiveServer server;

	private SdkLiveNode(AnnotationConfigApplicationContext context, ProjectorRound round) throws Exception {
		this.context = context;
		this.round = round;
		this.appender = new Appender(context);
		context.start();
		this.server = new LiveServer(context);
	}

	/**
	 * Starts a node.
	 * @param round the stream is there, and empty; the projector is the view
	 */
	public static SdkLiveNode start(ProjectorRound round) throws Exception {
		AnnotationConfigApplicationContext context = SdkApplication.ready(round.natsUrl(), round.jdbcUrl(),
				round.poolSize(), Map.of("projector", round.projector(), "subject", round.subject()), (application) -> {
					application.registerBean(RelayOptions.class, () -> RelayOptions.named(round.projector()));
					application.registerBean(AccountView.class);
				});
		try {
			return new SdkLiveNode(context, round);
		}
		catch (Exception ex) {
			context.close();
			throw ex;
		}
	}

	/** Where it serves the live views. */
	public InetSocketAddress address() {
		return this.server.address();
	}

	/** The request for accounts of the view, which are to follow. */
	public String path() {
		return "/eventing/live/events?view=" + this.round.projector();
	}

	/**
	 * Gives each account a state, by a change of number 0 and no amount, and returns when
	 * all are there.
	 */
	public void open(int accounts) throws SQLException, TimeoutException {
		List<OutboxEvent> events = new ArrayList<>(accounts);
		for (AccountChange like : AccountChanges.of(accounts).withRandomIds()) {
			AccountChanged change = like.payload();
			String account = AccountChanges.account(events.size());
			events.add(new OutboxEvent(like.id(), account, 1, JSON.writeValueAsString(new AccountChanged(account, 0, 0,
					change.currency(), change.bookedAt(), change.reference(), change.purpose()))));
		}
		StoredChanges.insert(this.round.jdbcUrl(), events);
		awaitApplied(accounts);
	}

	/** Returns when the view has the given number of events. */
	public void awaitApplied(int events) throws TimeoutException {
		SdkProjector.awaitProcessed(this.context, this.round.ofEvents(events));
	}

	/** Appends an event in a separate transaction. */
	public void append(AccountChange change) {
		this.appender.append(change.streamId(), List.of(NewEvent.of(change.payload()).withId(change.id())));
	}

	/**
	 * Appends these events at a rate that does not depend on their progress.
	 * @param before gets each event before its transaction begins
	 */
	public void append(AccountChanges changes, int perSecond, Consumer<AccountChange> before) {
		long interval = Duration.ofSeconds(1).toNanos() / perSecond;
		long next = System.nanoTime();
		for (AccountChange change : changes) {
			next += interval;
			SdkLatency.sleepUntil(next);
			before.accept(change);
			append(change);
		}
	}

	/** How many clients are connected, as far as the node knows. */
	public int connections() {
		return this.server.connections();
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		finally {
			this.context.close();
		}
	}

}
