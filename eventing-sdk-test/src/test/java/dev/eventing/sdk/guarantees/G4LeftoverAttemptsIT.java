package dev.eventing.sdk.guarantees;

import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Attempts of events that never come again do not stay for ever. */
class G4LeftoverAttemptsIT {

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void forgetsAttemptsOfEventsThatCanComeNoMore(Source source) {
		CountDownLatch refusing = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			if (refusing.getCount() > 0) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(1000)
			.retryMultiplier(1.0)
			.source(source)
			.build();
		WorldApplication application = WorldApplication.of(accounts).with(patient);
		try (AnnotationConfigApplicationContext first = this.world.start(application)) {
			if (source == Source.JETSTREAM) {
				this.world.publish(World.ACME, "a", 1, 1);
			}
			else {
				this.world.append(World.ACME, "a", 1, 1);
			}
			await().until(() -> World.status(first, Accounts.PROJECTOR).waitingForRetry() == 1);
		}
		this.world.jdbc().update("""
				insert into eventing.projector_attempts (projector_name, tenant_id, event_id, attempts,
				       first_attempt_at, last_attempt_at)
				select ?, 'acme', gen_random_uuid(), 1, now() - interval '1 day', now() - interval '1 day'
				  from generate_series(1, 10)""", Accounts.PROJECTOR);
		try (AnnotationConfigApplicationContext second = this.world.start(application)) {
			await().until(() -> attempts() == 1);
			assertThat(second.isActive()).isTrue();
			refusing.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			await().until(() -> attempts() == 0);
		}
	}

	private long attempts() {
		return this.world.count("select count(*) from eventing.projector_attempts");
	}

}
