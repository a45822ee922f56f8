package dev.eventing.sdk.guarantees;

import java.util.Optional;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveViewAccess;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The access to live views of the guide. */
@Configuration(proxyBeanMethods = false)
class MembershipAccess {

	@Bean
	LiveViewAccess liveViewAccess(Memberships memberships) {
		return (request) -> {
			if (request.principal() == null) {
				return Optional.empty();
			}
			return memberships.tenantOf(request.principal().getName())
				.filter((tenant) -> request.view().equals("stock"));
		};
	}

	/** Which tenant a user belongs to. */
	interface Memberships {

		Optional<TenantId> tenantOf(String user);

	}

}
