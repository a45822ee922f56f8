package dev.eventing.sdk.projector.attempt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.suspect.Rung;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;

/** The rest of a batch, in parts. Each part is one transaction. For one thread. */
public final class BatchSplitter {

	private final Deque<List<Work>> parts = new ArrayDeque<>();

	private final boolean byTenant;

	/** Holds a batch whose parts may have events of several tenants. */
	public BatchSplitter(List<Work> batch) {
		this(batch, false);
	}

	/**
	 * Holds a batch.
	 * @param byTenant whether a part has events of one tenant only
	 */
	public BatchSplitter(List<Work> batch, boolean byTenant) {
		this.byTenant = byTenant;
		putFirst(batch);
	}

	public boolean isEmpty() {
		return this.parts.isEmpty();
	}

	/**
	 * Removes and returns the next events, at most this number of them. Suspects that
	 * must be looked up are returned all at once, with any tenants, because no handler
	 * gets them yet. Other suspects are limited by their {@link Rung}. If parts have one
	 * tenant, events of other tenants come later.
	 */
	public List<Work> next(int most) {
		List<Work> part = ofOneTenant(this.parts.pop());
		Suspicion suspicion = part.get(0).suspicion();
		int fitting = (suspicion == Suspicion.POSSIBLE) ? part.size() : Math.min(most, Rung.of(suspicion).most());
		if (part.size() <= fitting) {
			return part;
		}
		putFirst(part.subList(fitting, part.size()));
		return part.subList(0, fitting);
	}

	/**
	 * Returns the events of the first one's tenant, and puts the others before the rest.
	 * Events of one key stay in order. So while a read model is filled, which keeps the
	 * order of a whole lane, only neighbours are returned.
	 */
	private List<Work> ofOneTenant(List<Work> part) {
		if (!this.byTenant || part.get(0).suspicion() == Suspicion.POSSIBLE) {
			return part;
		}
		TenantId tenant = part.get(0).routed().tenant();
		List<Work> chosen = new ArrayList<>(part.size());
		List<Work> later = new ArrayList<>();
		Set<String> keysOfLater = new HashSet<>();
		for (Work work : part) {
			String key = work.key();
			if (Objects.equals(tenant, work.routed().tenant()) && (key == null || !keysOfLater.contains(key))) {
				chosen.add(work);
				continue;
			}
			later.add(work);
			if (key != null) {
				keysOfLater.add(key);
			}
		}
		putFirst(later);
		return later.isEmpty() ? part : chosen;
	}

	/** Puts events before the rest. */
	public void putFirst(List<Work> part) {
		if (!part.isEmpty()) {
			this.parts.push(part);
		}
	}

	/**
	 * Cuts a failed part and puts its events before the rest, in order. Cuts around the
	 * event whose handler threw, or in halves if the whole transaction failed. If the
	 * transaction took too long for the server, or the failure may be the database's,
	 * each event runs alone. The event at fault may be another than the one whose handler
	 * threw. Halves would take as long again, and the other events can succeed at once.
	 */
	public void putFirst(List<Work> part, Throwable failure) {
		if (FailureClassifier.isSessionTimeOut(failure) || FailureClassifier.isTransient(failure)) {
			for (int at = part.size() - 1; at >= 0; at--) {
				putFirst(part.subList(at, at + 1));
			}
			return;
		}
		int at = culprit(part, failure);
		if (at < 0) {
			int half = part.size() / 2;
			putFirst(part.subList(half, part.size()));
			putFirst(part.subList(0, half));
			return;
		}
		putFirst(part.subList(at + 1, part.size()));
		putFirst(part.subList(at, at + 1));
		putFirst(part.subList(0, at));
	}

	/**
	 * Returns the index of the event whose handler threw, or -1 if the failure is not
	 * that of one event.
	 */
	static int culprit(List<Work> part, Throwable failure) {
		RoutedEvent culprit = (failure instanceof HandlerFailedException handler) ? handler.culprit() : null;
		for (int at = 0; culprit != null && at < part.size(); at++) {
			if (part.get(at).routed() == culprit) {
				return at;
			}
		}
		return -1;
	}

}
