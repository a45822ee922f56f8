package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
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
 * G10: rebuilds of a projector that reads JetStream, with an event whose tenant could not
 * be read, and which an operator has mended. Its letter has no tenant.
 */
class G10WithoutTenantIT {

	@AutoClose
	private final World world = World.create();

	private final StreamAccounts accounts = new StreamAccounts();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@AutoClose
	private final LostDeposit lost = new LostDeposit(this.world, this.rebuilds);

	@Test
	void appliesItOnceInPlace() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			publishAndMend();
			for (int generation = 2; generation <= 3; generation++) {
				rebuildInPlace(generation);
				assertThatItIsAppliedIn("public");
				this.lost.publish("acme"); // the same event again, now with its tenant
			}
			assertThat(letters()).singleElement()
				.returns(null, DeadLetter::tenantId)
				.returns(DeadLetterStatus.RESOLVED, DeadLetter::status);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void appliesItOnceBeside() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			publishAndMend();
			buildBeside();
			assertThatItIsAppliedIn("accounts_g2");
			assertThat(this.world.deadLetters(Accounts.PROJECTOR + "#2")).isEmpty();
			this.rebuilds.switchTo(2);
			this.lost.publish("acme");
			publishMore();
			this.rebuilds.assertThatTheReadModelIsExact("public", 3);
			assertThat(this.world.version(World.ACME, LostDeposit.ACCOUNT)).isEqualTo(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * Each generation has a letter of its own, and an operator mends that of the second
	 * one while it is live. The claim that its redrive takes is not of the first one.
	 */
	@Test
	void appliesItOnceInEachGenerationThatMendsItsOwnLetter() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			mendInASecondGeneration();
			assertThatItIsAppliedIn("public");
			this.rebuilds.switchTo(1);
			assertThat(this.world.version(World.ACME, LostDeposit.ACCOUNT)).isZero();
			this.rebuilds.switchTo(2);
			this.lost.publish("acme"); // generation 2 has applied it
			publishMore();
			assertThatItIsAppliedIn("public", 3);
			this.rebuilds.awaitVersions("accounts_g1", 3);
			this.rebuilds.switchTo(1);
			edit();
			redrive();
			assertThatItIsAppliedIn("public", 3);
			this.rebuilds.switchTo(2);
			assertThatItIsAppliedIn("public", 3);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void appliesItOnceInAGenerationThatMetItWithItsTenantBeforeItsLetterIsMended() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			mendInASecondGeneration();
			this.lost.publish("acme"); // generation 1 applies it
			publishMore();
			this.rebuilds.awaitVersions("accounts_g1", 3);
			assertThatItIsAppliedIn("accounts_g1", 3);
			this.rebuilds.switchTo(1);
			edit();
			redrive();
			assertThatItIsAppliedIn("public", 3);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * The first generation has it by the event alone, the second one by its redrive. Each
	 * keeps that, however often they take turns.
	 */
	@Test
	void appliesItOnceInAGenerationThatHadMendedItWhileItWasLive() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			mendInASecondGeneration();
			this.rebuilds.switchTo(1);
			this.lost.publish("acme"); // generation 1 applies it
			publishMore();
			this.rebuilds.awaitVersions("accounts_g2", 3);
			assertThatItIsAppliedIn("public", 3);
			assertThatItIsAppliedIn("accounts_g2", 3);
			this.rebuilds.switchTo(2);
			this.rebuilds.switchTo(1);
			this.lost.publish("acme");
			edit();
			redrive();
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			this.rebuilds.awaitVersions("accounts_g2", 4);
			assertThatItIsAppliedIn("public", 4);
			assertThatItIsAppliedIn("accounts_g2", 4);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** So nothing is lost if its letter is discarded afterwards. */
	@Test
	void appliesTheEventWithItsTenantThoughOnlyTheLiveGenerationHasMendedIt() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			mendInASecondGeneration();
			this.rebuilds.switchTo(1);
			this.rebuilds.switchTo(2);
			this.lost.publish("acme"); // generation 2 has applied it
			publishMore();
			this.rebuilds.awaitVersions("accounts_g1", 3);
			assertThatItIsAppliedIn("public", 3);
			assertThatItIsAppliedIn("accounts_g1", 3);
			this.rebuilds.switchTo(1);
			this.world.operators().discard(DeadLetterFilter.ALL, "anna", "it was published again");
			this.lost.publish("acme");
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			assertThatItIsAppliedIn("public", 4);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Its letter names its tenant then, and has the payload with which it failed. */
	@Test
	void makesALetterThatCanBeRedrivenIfItFails() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			publishAndMend();
			this.accounts.refused.add(LostDeposit.ACCOUNT);
			rebuildInPlace(2);
			assertThat(this.world.version(World.ACME, LostDeposit.ACCOUNT)).isZero();
			assertThat(parked()).singleElement()
				.returns(World.ACME, DeadLetter::tenantId)
				.returns(this.lost.id(), DeadLetter::eventId);
			this.accounts.refused.clear();
			redrive();
			assertThatItIsAppliedIn("public");
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void leavesItOutOnceTheLetterOfTheMendedEventIsDiscarded() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			publishAndMend();
			this.accounts.refused.add(LostDeposit.ACCOUNT);
			rebuildInPlace(2);
			this.world.operators().discard(DeadLetterFilter.ALL, "anna", "a test order");
			this.accounts.refused.clear();
			rebuildInPlace(3);
			assertThat(this.world.version(World.ACME, LostDeposit.ACCOUNT)).isZero();
			assertThat(parked()).isEmpty();
			assertThat(application.isActive()).isTrue();
		}
	}

	/** It stays as it was before it is redriven. */
	@Test
	void leavesItToTheRedriveOfAnOpenLetter() {
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(this.accounts)) {
			publishAndEdit();
			rebuildInPlace(2);
			assertThat(this.world.version(World.ACME, LostDeposit.ACCOUNT)).isZero();
			redrive();
			assertThatItIsAppliedIn("public");
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Where the first one has a letter of its own, too. */
	private void mendInASecondGeneration() {
		publishUnreadable();
		buildBeside();
		this.rebuilds.switchTo(2);
		edit();
		redrive();
	}

	private void buildBeside() {
		this.rebuilds.build();
		this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
	}

	private void rebuildInPlace(int generation) {
		this.rebuilds.rebuild();
		this.rebuilds.awaitStatus(generation, ProjectionGeneration.Status.LIVE);
	}

	private void publishMore() {
		this.rebuilds.publishAll(3, 3);
		this.rebuilds.awaitVersions("public", 3);
	}

	private void publishAndMend() {
		publishAndEdit();
		redrive();
	}

	private void publishAndEdit() {
		publishUnreadable();
		edit();
	}

	private void edit() {
		this.world.operators()
			.edit(letters().get(0).letterId(), this.lost.envelope("acme").getBytes(StandardCharsets.UTF_8), "anna",
					"it is of acme");
	}

	private void publishUnreadable() {
		this.rebuilds.publishAll(1, 1);
		this.lost.publish("globex"); // the subject names another tenant
		this.rebuilds.publishAll(2, 2);
		this.rebuilds.awaitVersions("public", 2);
		await().untilAsserted(() -> assertThat(letters()).singleElement()
			.returns(null, DeadLetter::tenantId)
			.returns("UNREADABLE:TENANT_MISMATCH", DeadLetter::reason));
	}

	private void redrive() {
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
		await().until(() -> this.world.version(World.ACME, LostDeposit.ACCOUNT) == 1);
		await().untilAsserted(() -> assertThat(parked()).isEmpty());
	}

	private void assertThatItIsAppliedIn(String schema) {
		assertThatItIsAppliedIn(schema, 2);
	}

	private void assertThatItIsAppliedIn(String schema, long version) {
		this.lost.assertThatItIsAppliedIn(schema, version);
	}

	private List<DeadLetter> parked() {
		return letters().stream().filter((letter) -> letter.status() == DeadLetterStatus.PARKED).toList();
	}

	private List<DeadLetter> letters() {
		return this.world.deadLetters(Accounts.PROJECTOR);
	}

}
