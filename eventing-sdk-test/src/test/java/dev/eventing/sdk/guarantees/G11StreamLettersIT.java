package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: each dead letter and each retry stays with the generation in which its event
 * failed, of a projector that reads JetStream.
 */
class G11StreamLettersIT extends LettersSetup {

	private final StreamAccounts accounts = new StreamAccounts();

	/** They belong to a read model without readers, and wait for a roll back. */
	@Test
	void letsTheLettersOfAStandbyWaitInIt() {
		this.accounts.refused.add("a1");
		this.world.publish(World.ACME, "a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 3);
			this.accounts.refused.clear();
			this.generations.build();
			this.generations.switchTo(2);
			assertThat(redrive("accounts#1")).isZero();
			this.world.publish(World.ACME, "a1", 4, 4);
			awaitVersion("public", "a1", 4);
			awaitOpen("accounts#1", 4);
			assertThat(version("accounts_g1", "a1")).isZero();
			this.generations.switchTo(1);
			assertThat(redrive(LIVE)).isEqualTo(4);
			awaitVersion("public", "a1", 4);
			awaitVersion("accounts_g2", "a1", 4);
			awaitOpen(LIVE, 0);
			assertThatNothingIsViolated("public");
			assertThatNothingIsViolated("accounts_g2");
			this.generations.retire(2);
			this.generations.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(4);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Neither is switched before the event has been applied in both. */
	@Test
	void waitsForARetryThatIsUnderWayInTheGenerationBeside() {
		this.world.publish(World.ACME, "a1", 1, 2);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitVersion("public", "a1", 2);
			this.generations.build();
			this.accounts.besideUpTo = 2;
			this.world.publish(World.ACME, "a1", 3, 3);
			awaitVersion("public", "a1", 3);
			this.generations.requestSwitch(2);
			await().until(() -> this.world
				.count("select count(*) from eventing.projector_attempts where projector_name = 'accounts#2'") > 0);
			assertThat(this.generations.live()).isEqualTo(1);
			this.accounts.besideUpTo = Long.MAX_VALUE;
			this.generations.awaitEnd();
			if (this.generations.status() != Status.DONE) {
				this.generations.switchTo(2);
			}
			this.world.publish(World.ACME, "a1", 4, 4);
			awaitVersion("public", "a1", 4);
			awaitVersion("accounts_g1", "a1", 4);
			assertThatNothingIsViolated("public");
			assertThatNothingIsViolated("accounts_g1");
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
			assertThat(application.isActive()).isTrue();
		}
	}

}
