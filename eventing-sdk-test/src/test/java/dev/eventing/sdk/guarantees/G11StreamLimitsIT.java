package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: what a build from JetStream takes has limits. */
class G11StreamLimitsIT {

	private static final String SCHEMA = "accounts_g2";

	@AutoClose
	private final World world = World.create();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@Test
	void readsNoMoreThanTheRateUntilItIsReady() {
		int rate = 70;
		this.rebuilds.publishAll(1, 50);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 50);
			long begun = System.nanoTime();
			this.rebuilds.build(new BuildOptions(rate, null));
			await().until(() -> building().endsWith("'; at most 70/s, as requested"));
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(Duration.ofNanos(System.nanoTime() - begun))
				.isGreaterThan(Duration.ofSeconds(50 * StreamRebuilds.NAMES / rate - 1));
			this.rebuilds.awaitVersions(SCHEMA, 50);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 50);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/** Other projectors of the node wait for the thread that deletes them. */
	@Test
	void deletesOldClaimsALittleAtATime() {
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 3);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.jdbc().execute("""
					insert into eventing.projection_claims (projection_name, generation, event_id, tenant_id)
					select 'accounts', 1, gen_random_uuid(), 'acme' from generate_series(1, 250000);
					create function slow() returns trigger language plpgsql as
					'begin perform pg_sleep(1); return null; end';
					create trigger slow after delete on eventing.projection_claims execute function slow()""");
			this.rebuilds.retire(2);
			this.rebuilds.build();
			await().until(() -> this.rebuilds.generation(3).isPresent());
			assertThat(claims()).isGreaterThan(50_000);
			this.world.jdbc().execute("drop trigger slow on eventing.projection_claims");
			this.rebuilds.awaitStatus(3, ProjectionGeneration.Status.READY);
			this.rebuilds.retire(3);
			this.rebuilds.assertThatNothingIsLeft();
			assertThat(application.isActive()).isTrue();
		}
	}

	private long claims() {
		return this.world.count("select count(*) from eventing.projection_claims");
	}

	/** What its nodes report of the live generation counts. */
	@Test
	void slowsDownByItselfWhileTheLiveGenerationLags() {
		StreamAccounts accounts = new StreamAccounts();
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			this.rebuilds.awaitVersions("public", 3);
			accounts.liveUpTo = 3;
			accounts.slowBeside = true;
			this.rebuilds.publishAll(4, 250);
			await().until(this::lags);
			this.rebuilds.build();
			await().until(() -> building().matches(".* beside the live one, from stream '.*'; throttled to [0-9,]+/s:"
					+ " the live read model is [0-9]+ s behind"));
			accounts.slowBeside = false;
			accounts.liveUpTo = Long.MAX_VALUE;
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.awaitVersions(SCHEMA, 250);
			this.rebuilds.awaitVersions("public", 250);
			this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 250);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	private boolean lags() {
		Duration behind = this.rebuilds.overview("live").behind().time();
		return behind != null && behind.compareTo(Duration.ofSeconds(1)) > 0;
	}

	/** The node's report of the generation beside the live one; empty before that. */
	private String building() {
		return this.rebuilds.projectors.list()
			.stream()
			.filter((each) -> each.generation().number() == 2)
			.map((each) -> String.valueOf(each.status().detail()))
			.findFirst()
			.orElse("");
	}

}
