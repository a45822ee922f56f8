package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ProjectionGeneration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10: two generations that read JetStream, of which one has applied an event and the
 * other has a letter of it. The stream has the event again after they took turns.
 */
class G10RedrivenAfterSwitchIT {

	@AutoClose
	private final World world = World.create();

	private final StreamAccounts accounts = new StreamAccounts();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@AutoClose
	private final LostDeposit lost = new LostDeposit(this.world, this.rebuilds);

	/** The one that was live has applied it, and no claim of the live one shows that. */
	@Test
	void appliesItOnceInTheGenerationThatAppliedItWhileItWasLive() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			failInTheFormerGeneration();
			this.rebuilds.switchTo(1);
			publishAgainAndRedrive();
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void appliesItOnceHoweverOftenTheyTakeTurns() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			failInTheFormerGeneration();
			this.rebuilds.switchTo(1);
			this.rebuilds.switchTo(2);
			this.rebuilds.switchTo(1);
			publishAgainAndRedrive();
			this.rebuilds.switchTo(2);
			this.rebuilds.switchTo(1);
			this.lost.publish("acme");
			publishMore(5);
			assertThatItIsAppliedIn("accounts_g2", 5);
			assertThatItIsAppliedIn("public", 5);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Generation 1 is live. */
	private void publishAgainAndRedrive() {
		this.lost.publish("acme"); // one has applied it, and the other one has its letter
		publishMore(3);
		assertThatItIsAppliedIn("accounts_g2", 3);
		redrive();
		this.lost.publish("acme");
		publishMore(4);
		assertThatItIsAppliedIn("accounts_g2", 4);
		assertThatItIsAppliedIn("public", 4);
	}

	/** Generation 2 is live and applies it, and generation 1 has a letter of it. */
	private void failInTheFormerGeneration() {
		this.rebuilds.publishAll(1, 1);
		this.rebuilds.awaitVersions("public", 1);
		this.rebuilds.build();
		this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
		this.rebuilds.switchTo(2);
		this.accounts.refusedBeside.add(LostDeposit.ACCOUNT);
		this.lost.publish("acme");
		await().until(() -> this.world.deadLetters(Accounts.PROJECTOR + "#1").size() == 1);
		this.accounts.refusedBeside.clear();
		this.rebuilds.publishAll(2, 2);
		this.rebuilds.awaitVersions("public", 2);
		this.rebuilds.awaitVersions("accounts_g1", 2);
		assertThatItIsAppliedIn("public", 2);
	}

	/** Each lane has settled what came before. */
	private void publishMore(long version) {
		this.rebuilds.publishAll(version, version);
		this.rebuilds.awaitVersions("public", version);
		this.rebuilds.awaitVersions("accounts_g2", version);
	}

	private void redrive() {
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
		await().until(() -> this.world.version(World.ACME, LostDeposit.ACCOUNT) == 1);
		await().untilAsserted(() -> assertThat(parked()).isEmpty());
	}

	private List<DeadLetter> parked() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.filter((letter) -> letter.status() == DeadLetterStatus.PARKED)
			.toList();
	}

	private void assertThatItIsAppliedIn(String schema, long version) {
		this.lost.assertThatItIsAppliedIn(schema, version);
	}

}
