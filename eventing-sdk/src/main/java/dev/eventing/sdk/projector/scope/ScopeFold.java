package dev.eventing.sdk.projector.scope;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.deadletter.ledger.ScopeLetters;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.effect.AppendedEffects;
import dev.eventing.sdk.projector.effect.EffectOutlet;
import dev.eventing.sdk.projector.effect.Handling;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerCalls;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.projector.transaction.ScopeTransaction;
import dev.eventing.sdk.projector.transaction.TenantTransactions;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.schema.ErasureLock;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.SelectedEvents;
import dev.eventing.sdk.store.SelectedEvents.Place;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rebuilds a portion in one transaction, while nothing of the projector runs: deletes its
 * rows, and applies all of its events again.
 */
final class ScopeFold {

	/** If this node is frozen or cut off, the server ends the transaction. */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '60s'";

	/** Positions that one look for events covers. */
	private static final long RANGE = 500_000;

	private static final int PAGE = 500;

	private static final long PAGE_BYTES = 8L << 20;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final ScopeLetters letters;

	private final JdbcAttempts attempts;

	private final ScopeEvents events;

	private final SelectedEvents store;

	private final ErasureLock erasures;

	/** Sends no query yet. */
	ScopeFold(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.letters = new ScopeLetters(this.jdbc, services.schema(), endpoint.id());
		this.attempts = new JdbcAttempts(this.jdbc, services.schema(), endpoint.id());
		this.events = new ScopeEvents(endpoint, services,
				new RebuiltLetters(this.jdbc, services.schema(), endpoint.id()), this.letters);
		this.store = services.store().log().selected();
		this.erasures = new ErasureLock(services.schema());
	}

	/**
	 * Rebuilds a portion, or leaves everything as it was.
	 * @param limits up to where events are settled, and how many a portion may have
	 * @param progress called after each page with the number of events that are done, and
	 * before all else; it throws if the transaction is to end
	 * @param last the last step of the transaction
	 * @throws RequestRefusedException if it cannot be rebuilt as it stands
	 */
	Folded fold(ProjectorLease lease, Portion portion, Limits limits, Progress progress, IntoTransaction last) {
		PortionRows rows = new PortionRows(this.endpoint.readModel(), portion, this.jdbc);
		ScopeBoundary boundary = new ScopeBoundary(rows);
		Set<EventKey> owed = new HashSet<>();
		ScopeTransaction transaction = transaction(lease, boundary, owed);
		return transaction.execute(portion.tenant(), () -> {
			this.jdbc.execute(IDLE_TIMEOUT);
			progress.begun(this.erasures.share(this.jdbc));
			requireOneTenant(rows, portion);
			owed.addAll(takeLetters(portion));
			long begun = System.nanoTime();
			List<Place> places = find(portion, limits, progress);
			Duration scan = Duration.ofNanos(System.nanoTime() - begun);
			boundary.look();
			long deleted = rows.delete();
			int applied = apply(transaction, portion, places, progress);
			Folded folded = new Folded(applied, deleted, owed.size(), scan, boundary.unread());
			last.run(folded);
			return folded;
		});
	}

	private ScopeTransaction transaction(ProjectorLease lease, ScopeBoundary boundary, Set<EventKey> owed) {
		OpenTransactions open = new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout());
		lease.onSilence(open::abort);
		FencedTransactions fenced = FencedTransactions.withHandlers(this.endpoint, this.services, lease, open,
				List.of(boundary));
		return new ScopeTransaction(fenced, TenantTransactions.of(this.endpoint, this.services),
				new LedgerClaims(this.endpoint.id(), this.services.processedEvents()), new HandlerCalls(
						new AdditionTargets(this.jdbc), new Interrupts(new CountDownLatch(1)), handling(owed)));
	}

	/** The projector had all events behind it except the events of the letters. */
	private Handling handling(Set<EventKey> owed) {
		Supplier<EventStore> appends = this.services.store().appends();
		EffectLedger ledger = new EffectLedger(this.jdbc, this.services.schema(), this.endpoint.id());
		EffectOutlet outlet = (effects) -> {
			List<Effect> due = effects.stream().filter((effect) -> owed.contains(key(effect.cause()))).toList();
			if (!due.isEmpty()) {
				new AppendedEffects(ledger, appends.get()).take(due);
			}
		};
		return new Handling(this.endpoint.id(), HandlerMode.BUILD, (event) -> false, appends, outlet);
	}

	private static EventKey key(Effect.Cause cause) {
		return new EventKey(cause.tenantId(), cause.eventId());
	}

	private void requireOneTenant(PortionRows rows, Portion portion) {
		TenantId tenant = portion.tenant();
		String stream = portion.stream();
		if (tenant != null && stream != null && rows.withoutTenant()
				&& this.store.isOfOthers(this.jdbc, tenant, stream)) {
			throw new RequestRefusedException(
					"Other tenants have a stream '" + stream + "', too, and a table declares no "
							+ "column with the tenant. Consider @ReadModelRows(tenantColumn = ...).");
		}
	}

	/**
	 * Locks them first, as a redrive does. Their events get claims when they are applied.
	 */
	private Set<EventKey> takeLetters(Portion portion) {
		TenantId tenant = portion.tenant();
		if (tenant == null || portion.isWindow()) {
			return Set.of();
		}
		Set<EventKey> closed = this.letters.close(tenant, portion.stream());
		this.attempts.forgetOf(tenant, portion.stream());
		return closed;
	}

	private List<Place> find(Portion portion, Limits limits, Progress progress) {
		List<Place> places = new ArrayList<>();
		long range = (portion.stream() != null) ? Long.MAX_VALUE : RANGE;
		long after = limits.beganAfter();
		while (after < limits.settledTo()) {
			progress.done(0, 0);
			long upTo = (limits.settledTo() - after > range) ? after + range : limits.settledTo();
			places.addAll(
					this.store.find(this.jdbc, portion.events(), after, upTo, limits.mostEvents() + 1 - places.size()));
			if (places.size() > limits.mostEvents()) {
				throw new RequestRefusedException(
						"More than " + limits.mostEvents() + " events are in " + portion.description()
								+ ". Consider a larger limit, or a new generation beside the live one.");
			}
			after = upTo;
		}
		return places;
	}

	private int apply(ScopeTransaction transaction, Portion portion, List<Place> places, Progress progress) {
		int applied = 0;
		int from = 0;
		while (from < places.size()) {
			progress.done(from, places.size());
			int to = pageEnd(places, from);
			List<RoutedEvent> taken = this.events.taken(this.store.read(this.jdbc, places.subList(from, to)), portion);
			int batch = Math.max(1, this.endpoint.setting(ProjectorSettings::batchSize));
			for (int at = 0; at < taken.size(); at += batch) {
				List<RoutedEvent> part = taken.subList(at, Math.min(taken.size(), at + batch));
				transaction.apply(part, (first) -> progress.alive());
			}
			applied += taken.size();
			from = to;
		}
		progress.done(from, places.size());
		return applied;
	}

	private static int pageEnd(List<Place> places, int from) {
		int to = from;
		long bytes = 0;
		while (to < places.size() && to - from < PAGE && (to == from || bytes + places.get(to).bytes() <= PAGE_BYTES)) {
			bytes += places.get(to).bytes();
			to++;
		}
		return to;
	}

	/**
	 * How much a portion may have.
	 *
	 * @param beganAfter the projector has met no event up to here
	 * @param settledTo all events up to here are settled, and no later one is
	 * @param mostEvents the most events that it may have
	 */
	record Limits(long beganAfter, long settledTo, int mostEvents) {
	}

	/**
	 * The result of a rebuild.
	 *
	 * @param applied the number of events that handlers took
	 * @param deleted the number of rows that were deleted before
	 * @param letters the number of letters that were resolved
	 * @param scan how long it took to find the events
	 * @param unread the tables that are too large to look at what else was written to
	 */
	record Folded(int applied, long deleted, int letters, Duration scan, List<String> unread) {
	}

	/** Learns how far it is, on the thread of the transaction. */
	interface Progress {

		/**
		 * Called before events are read.
		 * @param erasure the number of the last erasure before that
		 */
		void begun(long erasure);

		/**
		 * Called before each page.
		 * @param all 0 while events are being looked for
		 * @throws ScopeEndedException if the transaction is to end
		 */
		void done(int events, int all);

		/** Called before each call of a handler. */
		void alive();

	}

	/** The last step of a transaction. */
	interface IntoTransaction {

		/**
		 * Records what was done.
		 * @throws ScopeEndedException if the transaction is to end
		 */
		void run(Folded folded);

	}

}
