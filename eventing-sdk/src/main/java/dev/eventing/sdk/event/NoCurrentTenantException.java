package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/** Code asks for the current tenant on a thread that has none. */
public class NoCurrentTenantException extends EventingException {

	private static final long serialVersionUID = 1L;

	public NoCurrentTenantException() {
		super("Thread '" + Thread.currentThread().getName() + "' has no current tenant. Consider tenancy ="
				+ " PER_TRANSACTION for the projector; CurrentTenant.open(...) on a thread of the application; or"
				+ " CurrentTenant.find() where no tenant is meant, as in sessions that Spring Data opens while it starts.");
	}

}
