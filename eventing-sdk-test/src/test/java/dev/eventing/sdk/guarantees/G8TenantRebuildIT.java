package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.Tenancy;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * G8: a read model that is rebuilt gets each event under its tenant, and misses none,
 * although the order of whole lanes is kept then.
 */
class G8TenantRebuildIT extends RebuildSetup {

	private static final TenantId GLOBEX = TenantId.of("globex");

	@Test
	void aRebuildAppliesEveryEventUnderItsTenant() {
		for (long version = 1; version <= 15; version++) {
			appendAll(version, version);
			this.world.append(GLOBEX, "g", version, version);
		}
		try (AnnotationConfigApplicationContext application = start(new OfOneTenant())) {
			awaitVersions(15);
			rebuild();
			awaitRebuilt(2);
			awaitVersions(15);
			assertThatTheReadModelIsExact(15);
			assertThat(totalOfGlobex("public")).isEqualTo(120);
			assertThat(this.world.count("select count(*) from account")).isEqualTo(NAMES + 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
	}

	@Test
	void aGenerationBesideTheLiveOneGetsEveryEventUnderItsTenant() {
		for (long version = 1; version <= 15; version++) {
			appendAll(version, version);
			this.world.append(GLOBEX, "g", version, version);
		}
		try (AnnotationConfigApplicationContext application = start(new OfOneTenant())) {
			awaitVersions(15);
			this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThatTheReadModelIsExact("accounts_g2", 15);
			assertThat(totalOfGlobex("accounts_g2")).isEqualTo(120);
			this.operators.switchTo(Accounts.PROJECTOR, 2, "anna", REASON, Patience.LONG);
			awaitStatus(2, ProjectionGeneration.Status.LIVE);
			appendAll(16, 17);
			awaitVersions(17);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
	}

	@Test
	void doesNotStartWithAResetThatHasNoTenant() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start(new ResettingOfOneTenant()).close())
			.havingRootCause()
			.isInstanceOf(ProjectorStartException.class)
			.withMessageContainingAll("@ProjectionReset", "Consider @Projector(tables = ...)");
	}

	/** An event that is missed shows in the sum, whatever comes after it. */
	private long totalOfGlobex(String schema) {
		return this.world.count("select total from " + schema + ".account where tenant_id = 'globex'");
	}

	/** Names no tenant but the current one, also in a write that is carried out later. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class OfOneTenant extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1,
				tenancy = Tenancy.PER_TRANSACTION)
		public void on(Deposited event, UUID eventId, String tenantId, ReadModelWriter writer) {
			apply(event, CurrentTenant.require().value());
			writer.update("update account set total = total where tenant_id = ?", CurrentTenant.require().value());
		}

	}

	@Projector(Accounts.PROJECTOR)
	static class ResettingOfOneTenant extends Resetting {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE,
				tenancy = Tenancy.PER_TRANSACTION)
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

}
