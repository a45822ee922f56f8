package dev.eventing.sdk.projector;

/** Whether a transaction of a projector may have events of several tenants. */
public enum Tenancy {

	/** Not set here. The defaults apply. */
	INHERIT,

	/**
	 * A transaction has events of any tenants, and nothing knows a current tenant. So
	 * handlers must name the tenant in their own SQL. The same as if no place sets
	 * anything, except that the application also starts with an entity manager factory
	 * that resolves a tenant for each session.
	 */
	NONE,

	/**
	 * A transaction has events of one tenant. The tenant is the
	 * {@linkplain dev.eventing.sdk.event.CurrentTenant current one} before the
	 * transaction begins, and {@link TenantTransactionListener}s are called.
	 */
	PER_TRANSACTION

}
