package dev.eventing.sdk.guarantees;

import java.util.Optional;

import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The checks of docs/reconciliation.md. */
class G14ReconciliationGuideIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void runsTheChecksOfTheGuide() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
		this.world.append(World.ACME, "a0", 1, 5);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new ReconciliationSetup.Totals(), new TotalsChecks()))) {
			Reconciliations reconciliations = application.getBean(Reconciliations.class);
			ReconciliationResult scheduled = await().until(() -> reconciliations.last("totals"), Optional::isPresent)
				.orElseThrow();
			assertThat(scheduled.run().actor()).startsWith("schedule on ");
			await().until(() -> this.world.checkpoint("totals") == 5);
			assertThat(reconciliations.run("totals", "anna").hasDifferences()).isFalse();
			assertThat(reconciliations.run("totals-in-buckets", "anna").answer())
				.hasFieldOrPropertyWithValue("differences", 0L);
			this.world.jdbc().update("update totals set total = -1");
			assertThat(reconciliations.run("totals", "anna").hasDifferences()).isTrue();
			assertThat(reconciliations.run("totals-in-buckets", "anna").hasDifferences()).isTrue();
			assertThat(reconciliations.run("no-negative-total", "anna").hasDifferences()).isTrue();
		}
	}

}
