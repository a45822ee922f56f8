package dev.eventing.sdk.guides.schemas;

import java.util.List;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guides.schemas.SchemasApplication.Lent;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.test.server.OwnServers;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Hibernate takes the tables of the tenant's schema, and the SDK its own, in one
 * transaction.
 */
@SpringBootTest(classes = SchemasApplication.class, webEnvironment = WebEnvironment.NONE,
		properties = { "spring.jpa.open-in-view=false", "eventing.streams.LOANS.subjects=loan.>",
				"eventing.projector.defaults.tenancy=per-transaction",
				"spring.flyway.locations=classpath:dev/eventing/sdk/guides/schemas/migration" })
@ContextConfiguration(initializers = OwnServers.class)
class SchemasIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	@Autowired
	private EventPublisher publisher;

	@Autowired
	private Loans loans;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private ProjectorRegistry projectors;

	@Test
	void eachTenantHasItsRowsInItsSchema() {
		for (TenantId tenant : List.of(ACME, GLOBEX)) {
			for (String title : List.of("Dune", "Emma")) {
				this.publisher.publish("loan.{tenant}.lent", Event.builder(tenant, new Lent(title)).build());
			}
		}
		this.publisher.publish("loan.{tenant}.lent", Event.builder(ACME, new Lent("Ulysses")).build());
		await().untilAsserted(() -> assertThat(rows("acme")).isEqualTo(3));
		await().untilAsserted(() -> assertThat(rows("globex")).isEqualTo(2));
		await().untilAsserted(() -> assertThat(this.projectors.status("loans").counts().processed()).isEqualTo(5));
		assertThat(this.projectors.status("loans").counts().failedAttempts()).isZero();
		CurrentTenant.Scope scope = CurrentTenant.open(GLOBEX);
		try {
			assertThat(this.loans.countByTitle("Dune")).isOne();
			assertThat(this.loans.countByTitle("Ulysses")).isZero();
		}
		finally {
			scope.close();
		}
		assertThat(this.jdbc.queryForObject("select current_schema", String.class))
			.as("connections of the pool have no tenant left")
			.isEqualTo("public");
	}

	private Long rows(String tenant) {
		return this.jdbc.queryForObject("select count(*) from " + tenant + ".loan", Long.class);
	}

}
