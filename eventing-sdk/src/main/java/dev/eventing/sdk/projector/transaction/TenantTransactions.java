package dev.eventing.sdk.projector.transaction;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Makes the tenant of a transaction the current one, before the transaction begins and
 * until it has ended, and calls the application's listeners. Does nothing if transactions
 * may have events of several tenants. Thread-safe.
 */
public final class TenantTransactions {

	private static final Logger logger = LoggerFactory.getLogger(TenantTransactions.class);

	private final boolean each;

	private final List<TenantTransactionListener> listeners;

	TenantTransactions(boolean each, List<TenantTransactionListener> listeners) {
		this.each = each;
		this.listeners = List.copyOf(listeners);
	}

	/** For the transactions of one projector. */
	public static TenantTransactions of(ProjectorEndpoint endpoint, ProjectorServices services) {
		return new TenantTransactions(endpoint.options().hasOneTenant(), services.tenants().listeners());
	}

	/**
	 * Runs a transaction for its tenant.
	 * @param events the events of the transaction
	 * @param transaction begins and ends the transaction
	 * @throws ListenerFailedException if a listener threw; no transaction was begun
	 */
	<T> T run(List<RoutedEvent> events, Supplier<T> transaction) {
		return this.each ? run(tenantOf(events), transaction) : transaction.get();
	}

	/**
	 * Runs an action in one transaction, for a tenant that is known.
	 * @param tenant null if the action may be about several, which a projector whose
	 * transactions have one tenant refuses before
	 */
	public <T> T execute(FencedTransactions transactions, @Nullable TenantId tenant, Supplier<T> action) {
		try {
			return run(tenant, () -> transactions.execute(() -> {
				begun();
				return action.get();
			}));
		}
		catch (ListenerFailedException ex) {
			throw ex.error();
		}
	}

	/** As the other method, for a tenant that is known. */
	<T> T run(@Nullable TenantId tenant, Supplier<T> transaction) {
		if (!this.each || tenant == null) {
			return transaction.get();
		}
		CurrentTenant.Scope scope = CurrentTenant.open(tenant);
		int called = 0;
		try {
			for (TenantTransactionListener listener : this.listeners) {
				called++;
				call(() -> listener.beforeBegin(tenant));
			}
			return transaction.get();
		}
		finally {
			try {
				complete(tenant, called);
			}
			finally {
				scope.close();
			}
		}
	}

	/**
	 * Call it in the transaction, before anything else of the events.
	 * @throws ListenerFailedException if a listener threw; the transaction must roll back
	 */
	void begun() {
		if (this.each) {
			TenantId tenant = CurrentTenant.require();
			this.listeners.forEach((listener) -> call(() -> listener.afterBegin(tenant)));
		}
	}

	/**
	 * Whether the transaction could not begin for another reason than the database. Then
	 * what opens a session refuses the tenant. That is about the events of the tenant.
	 */
	boolean isRefused(RuntimeException failure) {
		return this.each && failure instanceof CannotCreateTransactionException begin
				&& !begin.contains(SQLException.class);
	}

	private static void call(Runnable listener) {
		try {
			listener.run();
		}
		catch (RuntimeException ex) {
			throw new ListenerFailedException(ex);
		}
	}

	/** Only those that were called before it began, the last one first. */
	private void complete(TenantId tenant, int called) {
		for (int at = called - 1; at >= 0; at--) {
			TenantTransactionListener listener = this.listeners.get(at);
			try {
				listener.afterCompletion(tenant);
			}
			catch (RuntimeException ex) {
				logger.error("Listener {} failed after a transaction of tenant '{}' had ended. Nothing is repeated.",
						listener.getClass().getName(), tenant, ex);
			}
		}
	}

	/** A mistake here would write the rows of one tenant under another. */
	private static TenantId tenantOf(List<RoutedEvent> events) {
		TenantId tenant = events.get(0).event().tenantId();
		for (RoutedEvent event : events) {
			if (!event.event().tenantId().equals(tenant)) {
				throw new IllegalStateException("A transaction of tenant '" + tenant + "' has " + event.describe());
			}
		}
		return tenant;
	}

	/** A listener threw the cause. */
	static final class ListenerFailedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final RuntimeException error;

		ListenerFailedException(RuntimeException error) {
			super("A listener failed", error, false, false);
			this.error = error;
		}

		RuntimeException error() {
			return this.error;
		}

	}

}
