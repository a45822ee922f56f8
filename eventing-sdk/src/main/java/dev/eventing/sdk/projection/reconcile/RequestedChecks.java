package dev.eventing.sdk.projection.reconcile;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.projection.ledger.CheckRequests.Requested;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The requests of operators that this node can serve. For the thread of the schedule;
 * {@link #failure()} is for any.
 */
final class RequestedChecks {

	private static final Logger logger = LoggerFactory.getLogger(RequestedChecks.class);

	private final CheckRequests requests;

	/** The names of the checks of this node, by projector. */
	private final Map<String, List<String>> known;

	private volatile @Nullable String failure;

	/** Sends no query yet. */
	RequestedChecks(CheckRequests requests, List<ReconciliationCheck> checks) {
		this.requests = requests;
		this.known = checks.stream()
			.collect(Collectors.groupingBy(ReconciliationCheck::projector,
					Collectors.mapping(ReconciliationCheck::name, Collectors.toList())));
	}

	/**
	 * Returns what waits for a node and is for a check of this one, and records that a
	 * node has it. Returns nothing if the database does not answer.
	 */
	List<Requested> look() {
		try {
			List<Requested> open = this.requests.open(this.known.keySet());
			if (open.stream().anyMatch(Requested::isAll)) {
				open.stream()
					.filter(Requested::isAll)
					.forEach((all) -> this.requests.expand(all, this.known.getOrDefault(all.projector(), List.of())));
				open = this.requests.open(this.known.keySet());
			}
			List<Requested> mine = open.stream()
				.filter((each) -> this.known.getOrDefault(each.projector(), List.of()).contains(each.check()))
				.toList();
			mine.stream().filter((each) -> !each.isTaken()).forEach(this.requests::take);
			this.failure = null;
			return mine;
		}
		catch (DataAccessException | TransactionException ex) {
			String cause = DatabaseFailure.describe(ex);
			if (this.failure == null) {
				logger.warn("Requested checks cannot be looked up now: {}. It is tried again every second.", cause);
			}
			this.failure = cause;
			logger.debug("What stopped it.", ex);
			return List.of();
		}
	}

	/** Why requests cannot be looked up now, or null. */
	@Nullable String failure() {
		return this.failure;
	}

	/** Forgets why requests could not be looked up. */
	void forget() {
		this.failure = null;
	}

	/** Whether it still waits for a node. Ask again under the lease of the check. */
	boolean isOpen(Requested requested) {
		return this.requests.isOpen(requested);
	}

	/** Records that the result of the check is stored. */
	void answer(Requested requested) {
		this.requests.answer(requested);
	}

}
