package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import org.junit.jupiter.api.AutoClose;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A projector with generations and dead letters. */
abstract class LettersSetup {

	static final String LIVE = Accounts.PROJECTOR;

	@AutoClose
	final World world = World.create();

	final Generations generations = new Generations(this.world, LIVE);

	final AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	final void awaitOpen(String projector, long letters) {
		await().until(() -> open(projector) == letters);
	}

	final long open(String projector) {
		return this.world.count("select count(*) from eventing.dead_letters where projector_name = '" + projector
				+ "' and status in ('PARKED', 'REDRIVING')");
	}

	/** Returns the number of letters. */
	final long redrive(String projector) {
		return redrive(DeadLetterFilter.ALL.withProjector(projector));
	}

	final long redrive(DeadLetterFilter letters) {
		return this.world.operators().redrive(RedriveRequest.of(letters, "anna")).letters();
	}

	/** Waits until all events up to this version are applied, the first one too. */
	final void awaitVersion(String schema, String account, long version) {
		await().until(() -> version(schema, account) == version);
		assertThat(total(schema, account)).as(account).isEqualTo(version * (version + 1) / 2);
	}

	final long version(String schema, String account) {
		return this.world
			.count("select coalesce(max(version), 0) from " + schema + ".account where account = '" + account + "'");
	}

	final long total(String schema, String account) {
		return this.world.count("select total from " + schema + ".account where account = '" + account + "'");
	}

	final void assertThatNothingIsViolated(String schema) {
		assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).isEmpty();
	}

}
