package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.JpaTenants.ThreadLocalResolver;
import dev.eventing.sdk.projector.TenantTransactionListener;

import org.springframework.stereotype.Component;

/** Passes the tenant to a resolver that has a ThreadLocal. */
@Component
class ThreadLocalListener implements TenantTransactionListener {

	@Override
	public void beforeBegin(TenantId tenant) {
		ThreadLocalResolver.TENANT.set(tenant.value());
	}

	@Override
	public void afterCompletion(TenantId tenant) {
		ThreadLocalResolver.TENANT.remove();
	}

}
