package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.projection.ProjectionGeneration;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: the checkpoint of a build shows its progress, without a cost for each commit. */
class G11BuildCheckpointIT extends BesideSetup {

	private static final int EVENTS = 200;

	@Test
	void movesAboutOnceASecondAndWithEachTransactionOnceTheGenerationIsReady() {
		this.world.append(World.ACME, "a0", 1, EVENTS);
		G10SetBackIT.OneLane accounts = new G10SetBackIT.OneLane();
		accounts.permits.release(1000);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> this.world.version(World.ACME, "a0") == EVENTS);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(application.isActive()).isTrue();
			long ready = moves();
			assertThat(ready).as("a transaction for each event").isBetween(1L, EVENTS / 2L);
			this.world.append(World.ACME, "a0", EVENTS + 1, EVENTS + 10);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR + "#2") == this.world
				.count("select max(global_position) from eventing.events"));
			assertThat(moves()).isGreaterThan(ready + 5);
		}
	}

	private long moves() {
		return this.world.count("select max(revision) from eventing.projector_checkpoints where projector_name = '"
				+ Accounts.PROJECTOR + "#2'");
	}

}
