package dev.eventing.sdk.guides.library;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.TenantTransactionListener;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Sets the variable that policies of row level security read. */
@Component
class TenantOfTransaction implements TenantTransactionListener {

	private final JdbcClient jdbc;

	TenantOfTransaction(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/** The variable is set until the transaction ends, as by "set local". */
	@Override
	public void afterBegin(TenantId tenant) {
		this.jdbc.sql("select set_config('app.tenant', ?, true)").param(tenant.value()).query().singleValue();
	}

}
