package dev.eventing.sdk.projector;

import dev.eventing.sdk.event.TenantId;

/**
 * Takes part in the transactions that have events of one tenant, with
 * {@link Tenancy#PER_TRANSACTION}. For example it sets a variable of the session that row
 * level security reads, or a ThreadLocal of the application. Beans of this type are
 * called in their order, for each transaction of such projectors that calls handlers:
 * those of lanes, of redrives, and of rebuilds.
 *
 * <p>
 * All methods are called on the thread of the transaction. While they run, and until the
 * last one has returned, the tenant is the
 * {@linkplain dev.eventing.sdk.event.CurrentTenant current one}. What the first two throw
 * counts as a failure of the transaction's events, like an exception of their handler.
 */
public interface TenantTransactionListener {

	/**
	 * Called before the transaction begins. A failed transaction that is repeated calls
	 * it again.
	 */
	default void beforeBegin(TenantId tenant) {
	}

	/**
	 * Called inside the transaction, before the events are claimed and before any
	 * handler. What it changes by SQL commits with the events or not at all. It must
	 * leave the SDK its rights to its own tables.
	 */
	default void afterBegin(TenantId tenant) {
	}

	/**
	 * Called after the transaction has ended, however it ended, if {@code beforeBegin} of
	 * this listener was called. An exception is logged and changes nothing.
	 */
	default void afterCompletion(TenantId tenant) {
	}

}
