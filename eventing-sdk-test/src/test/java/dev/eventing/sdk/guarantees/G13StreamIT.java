package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13, from JetStream: what a handler appends exists once for each event of the stream,
 * over letters, builds, switches and roll backs.
 */
class G13StreamIT extends EffectSetup {

	private final First first = new First();

	private final Second second = new Second();

	@Test
	void existOnceThroughALetterAFixASwitchAndARollBack() {
		this.first.refused.add("a1");
		this.world.publish(World.ACME, "a1", 1, 2);
		this.world.publish(World.ACME, "a2", 1, 2);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitOpen(LIVE, 2);
			awaitNotices("a2", 4);
		}
		try (AnnotationConfigApplicationContext both = this.world.start(WorldApplication.of(this.first, this.second))) {
			this.generations.build();
			awaitVersion("accounts_g2", "a1", 2);
			assertThat(states()).containsExactly("STORED");
			this.generations.switchTo(2);
			awaitOnce("a1", 4);
			this.world.publish(World.ACME, "a2", 3, 3);
			awaitOnce("a2", 6);
			this.generations.switchTo(1);
			this.first.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a1", 2);
			this.world.publish(World.ACME, "a1", 3, 3);
			awaitOnce("a1", 6);
			awaitOnce("a2", 6);
			this.generations.retire(2);
			await().untilAsserted(() -> assertThat(this.world.jdbc()
				.queryForList("select event_id, generation, n, state, sequence from eventing.projection_effects"))
				.isEmpty());
		}
		assertThat(this.second.modes).contains(HandlerMode.BUILD, HandlerMode.LIVE);
	}

	private void awaitOnce(String account, long number) {
		awaitNotices(account, number);
		assertThat(this.world.count("""
				select count(distinct (payload->>'version', payload->>'n')) from eventing.events
				 where event_type = 'Noticed' and payload->>'account' = '%s'""".formatted(account))).isEqualTo(number);
	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class First extends Noticing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = 1000, retryDelay = 50,
				retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects, HandlerMode mode) {
			apply(event, tenantId, effects, mode);
		}

	}

	@Projector(value = Accounts.PROJECTOR, version = 2, tables = { "account", "violations" })
	static class Second extends Noticing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = 1000, retryDelay = 50,
				retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects, HandlerMode mode) {
			apply(event, tenantId, effects, mode);
		}

	}

}
