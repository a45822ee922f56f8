package dev.eventing.sdk.event;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The tenant that a thread works for. Projectors with one tenant in each transaction set
 * it before the transaction begins, and take it away after the transaction has ended. So
 * code that is asked for a tenant when a session or a connection is opened can find it
 * here, such as Hibernate's {@code CurrentTenantIdentifierResolver}.
 *
 * <p>
 * It is bound to one thread. Threads that inherit from it or that it starts do not see
 * it. Outside of such transactions the SDK neither sets nor reads it, so an application
 * may {@linkplain #open bind} a tenant to its own threads.
 */
public final class CurrentTenant {

	private static final ThreadLocal<@Nullable Scope> CURRENT = new ThreadLocal<>();

	private CurrentTenant() {
	}

	/** Returns the tenant of this thread, or empty if no scope is open. */
	public static Optional<TenantId> find() {
		Scope scope = CURRENT.get();
		if (scope == null) {
			return Optional.empty();
		}
		scope.asked = true;
		return Optional.of(scope.tenant);
	}

	/**
	 * Returns the tenant of this thread.
	 * @throws NoCurrentTenantException if no scope is open
	 */
	public static TenantId require() {
		return find().orElseThrow(NoCurrentTenantException::new);
	}

	/** Binds a tenant to this thread until the same thread closes the scope. */
	public static Scope open(TenantId tenant) {
		Scope scope = new Scope(tenant, CURRENT.get());
		CURRENT.set(scope);
		return scope;
	}

	/**
	 * The time during which a tenant is bound. Closing it restores the tenant that was
	 * bound before. For one thread.
	 */
	public static final class Scope implements AutoCloseable {

		private final TenantId tenant;

		private final @Nullable Scope before;

		private boolean asked;

		private Scope(TenantId tenant, @Nullable Scope before) {
			this.tenant = tenant;
			this.before = before;
		}

		/** Whether code has asked for the tenant while this scope was the current one. */
		public boolean isAsked() {
			return this.asked;
		}

		@Override
		public void close() {
			if (this.before == null) {
				CURRENT.remove();
			}
			else {
				CURRENT.set(this.before);
			}
		}

	}

}
