package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G12: an owner that stands still in a transition keeps appends waiting for a moment
 * only.
 */
@Tag("crash")
class G12FrozenIT extends InlineSetup {

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(Inline.class);

	@Test
	void letsAppendsGoOnIfItsOwnerStandsStillWhileItTurns() {
		this.owner.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> inlineStatus() == InlineStatus.INLINE);
		AnnotationConfigApplicationContext node = start(new Inline());
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		await().until(() -> inlineStatus() == InlineStatus.DEMOTED);
		lingerWhileItTurns();
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		await().pollInterval(Duration.ofMillis(5)).until(this::lingers);
		this.owner.freeze();
		long begun = System.nanoTime();
		append(node, "a", 1, 1);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
		this.world.jdbc().execute("drop trigger linger on eventing.projection_inline");
		this.owner.thaw();
		await().atMost(Patience.PROCESS).until(() -> inlineStatus() == InlineStatus.INLINE);
		append(node, "a", 2, 2);
		assertThat(version("a")).isEqualTo(2);
		assertThatTheReadModelHasAllEvents();
	}

	/** For nearly as long as its statements may take, under the lock. */
	private void lingerWhileItTurns() {
		this.world.jdbc().execute("""
				create function linger() returns trigger language plpgsql as $body$
				begin
				    perform pg_sleep(0.8);
				    return new;
				end $body$;
				create trigger linger before update on eventing.projection_inline
				for each row when (old.mode = 'FOLLOWING' and new.mode = 'INLINE') execute function linger()""");
	}

	private boolean lingers() {
		return this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and wait_event = 'PgSleep'""") > 0;
	}

}
