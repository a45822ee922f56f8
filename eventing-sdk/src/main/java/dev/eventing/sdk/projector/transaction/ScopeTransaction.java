package dev.eventing.sdk.projector.transaction;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.ContentDigest;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.util.CollectionUtils;

/**
 * The transaction that applies events again to a part of the live read model, whether
 * they have claims or not. In the end all of them have. No other thread may apply events
 * of the projector meanwhile. Commit listeners are not called. Thread-safe.
 */
public final class ScopeTransaction {

	private final FencedTransactions transactions;

	private final TenantTransactions tenants;

	private final LedgerClaims claims;

	private final HandlerCalls handlers;

	/**
	 * Begins nothing yet.
	 * @param transactions the application's transaction manager's
	 * @param tenants called around a transaction of one tenant
	 * @param claims the claims of the live generation
	 * @param handlers calls the handlers
	 */
	public ScopeTransaction(FencedTransactions transactions, TenantTransactions tenants, LedgerClaims claims,
			HandlerCalls handlers) {
		this.transactions = transactions;
		this.tenants = tenants;
		this.claims = claims;
		this.handlers = handlers;
	}

	/**
	 * Runs an action in one transaction.
	 * @param tenant the tenant of all its events; null if they may have several, which a
	 * projector whose transactions have one tenant refuses before
	 */
	public <T> T execute(@Nullable TenantId tenant, Supplier<T> action) {
		return this.tenants.execute(this.transactions, tenant, () -> {
			T done = action.get();
			this.transactions.checkBeforeCommit();
			return done;
		});
	}

	/**
	 * Claims the events and calls their handlers, in the caller's transaction.
	 * @param events each has a handler, in the order of positions
	 * @param calls called before each call of a handler, with the first event of the call
	 * @throws HandlerFailedException if a handler threw; the transaction must roll back
	 * @throws org.springframework.dao.DataAccessException if a queued write failed; the
	 * transaction must roll back
	 */
	public void apply(List<RoutedEvent> events, Consumer<RoutedEvent> calls) {
		Map<EventKey, @Nullable Integer> digests = CollectionUtils.newLinkedHashMap(events.size());
		events.forEach((each) -> digests.put(each.eventKey(),
				each.isEdited() ? null : ContentDigest.of(each.event().type(), each.event().payload().bytes())));
		this.claims.claim(digests);
		this.handlers.run(events.stream().filter((each) -> !each.isDropped()).toList(), calls);
	}

}
