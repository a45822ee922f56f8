package dev.eventing.sdk.guarantees;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;

/** G11: handlers may prepare {@code select *}, although a switch changes the columns. */
class G11PreparedStatementsIT extends BesideSetup {

	/** A failure that counts would be a dead letter at once. */
	@Test
	void countsNoAttemptWhereAPreparedSelectMeetsOtherColumns() {
		Selecting accounts = new Selecting();
		appendAll(1, 20);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(20);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.jdbc().execute("alter table accounts_g2.account add column note text");
			switchTo(2);
			appendAll(21, 40);
			awaitVersions(40);
			awaitVersions("accounts_g1", 40);
			assertThat(accounts.met).as("statements that met other columns").hasPositiveValue();
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
			assertThatTheReadModelIsExact("public", 40);
			assertThatTheReadModelIsExact("accounts_g1", 40);
			retire(1);
			assertThatNothingIsLeft();
		}
	}

	/** The driver prepares what it has sent five times. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Selecting extends Failing {

		final AtomicInteger met = new AtomicInteger();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1,
				maxDeliver = 1)
		public void on(Deposited event, UUID eventId, String tenantId) {
			try {
				this.jdbc.queryForList("select * from account where account = ?", event.account());
			}
			catch (UncategorizedSQLException ex) {
				this.met.incrementAndGet();
				throw ex;
			}
			apply(event, tenantId);
		}

	}

}
