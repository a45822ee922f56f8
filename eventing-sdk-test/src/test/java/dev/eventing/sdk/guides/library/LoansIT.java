package dev.eventing.sdk.guides.library;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.test.server.OwnServers;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a library lends is a loan of this library alone. */
// The application of a reader has its files at the root of the class path.
@org.springframework.test.context.TestPropertySource(
		properties = { "spring.config.location=classpath:dev/eventing/sdk/guides/library/",
				"spring.flyway.locations=classpath:dev/eventing/sdk/guides/library/migration" })
@SpringBootTest(
		properties = { "eventing.relays.loans.categories=loan", "eventing.relays.reservations.categories=reservation" })
@ContextConfiguration(initializers = { OwnServers.class, LibraryServers.class })
class LoansIT {

	@Autowired
	private Library library;

	@Autowired
	private Loans loans;

	@Test
	void aLoanBelongsToItsTenant() {
		this.library.lend(TenantId.of("acme"), "Dune", "ada");
		await().untilAsserted(() -> assertThat(loansOfAda("acme")).isOne());
		assertThat(loansOfAda("globex")).isZero();
	}

	/** A thread of the application has no tenant unless it names one. */
	private int loansOfAda(String tenant) {
		CurrentTenant.Scope scope = CurrentTenant.open(TenantId.of(tenant));
		try {
			return this.loans.findByReaderId("ada").size();
		}
		finally {
			scope.close();
		}
	}

}
