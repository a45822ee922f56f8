package dev.eventing.sdk.guides.library;

import java.util.Map;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;

import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.stereotype.Component;

/** Tells Hibernate the tenant of each session. */
@Component
class TenantOfSession implements CurrentTenantIdentifierResolver<String>, HibernatePropertiesCustomizer {

	@Override
	public void customize(Map<String, Object> properties) {
		properties.put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, this);
	}

	/** Spring Data opens sessions without a tenant at the start. They find no rows. */
	@Override
	public String resolveCurrentTenantIdentifier() {
		return CurrentTenant.find().map(TenantId::value).orElse("no tenant");
	}

	@Override
	public boolean validateExistingCurrentSessions() {
		return false;
	}

}
