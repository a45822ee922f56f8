package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An inline projector that is to read events again, or from elsewhere. No rows show which
 * events appends have applied, so it reads none of them twice, and takes none for applied
 * that is not.
 */
class G12SourcesIT extends InlineSetup {

	private static final ProjectorSettings JETSTREAM = ProjectorSettings.builder().source(Source.JETSTREAM).build();

	@Test
	void isFilledAnewInPlaceAfterItsSubjectWasWrong() {
		appendUnderAWrongSubject();
		AnnotationConfigApplicationContext node = startInline(new Inline());
		this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
		await().until(() -> version("a") == 3);
		awaitStatus(InlineStatus.INLINE);
		append(node, "a", 4, 4);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void takesNoEventForAppliedIfItsCheckpointIsGone() {
		appendUnderAWrongSubject();
		this.world.jdbc().update("delete from eventing.projector_checkpoints");
		AnnotationConfigApplicationContext node = start(new Inline());
		awaitFailed(node, "its row of projector_checkpoints is gone");
		assertThat(inlineStatus()).isEqualTo(InlineStatus.FOLLOWING);
		forgetThatItWasInline();
		awaitStatus(InlineStatus.INLINE);
		assertThat(version("a")).isEqualTo(3);
		append(node, "a", 4, 4);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void readsNoStreamOnceAppendsHaveAppliedEvents() {
		appendInline();
		AnnotationConfigApplicationContext streamed = startFromJetStream();
		awaitFailed(streamed, "it reads JetStream now");
		this.world.append(World.ACME, "a", 4, 5);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.FOLLOWING);
		assertThat(this.ledger.hasSkips()).isFalse();
		assertThat(this.world.count("select count(*) from eventing.projection_skips")).isZero();
		streamed.close();
		startInline(new Inline());
		assertThat(version("a")).isEqualTo(5);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void beginsWithTheFirstEventOfAStreamOnceItsReadModelIsEmpty() {
		appendInline();
		this.world.publish(World.ACME, "a", 1, 5);
		AnnotationConfigApplicationContext streamed = startFromJetStream();
		awaitFailed(streamed, "it reads JetStream now");
		assertThat(version("a")).isEqualTo(3);
		this.world.jdbc().update("delete from account");
		forgetThatItWasInline();
		await().until(() -> version("a") == 5);
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
	}

	/** Its handler gets none of the events. */
	private void appendUnderAWrongSubject() {
		try (AnnotationConfigApplicationContext wrong = this.world.start(WorldApplication.of(new Inline())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(EventSubjects.class,
					() -> EventSubjects.of("{category}.{tenant}.paid"))))) {
			awaitStatus(InlineStatus.INLINE);
			append(wrong, "a", 1, 3);
			assertThat(version("a")).isZero();
		}
	}

	private void appendInline() {
		try (AnnotationConfigApplicationContext node = startInline(new Inline())) {
			append(node, "a", 1, 3);
			assertThat(version("a")).isEqualTo(3);
		}
	}

	private AnnotationConfigApplicationContext startFromJetStream() {
		return this.world.start(WorldApplication.of(new Inline()).with(JETSTREAM).lease(Duration.ofSeconds(2)));
	}

	private static void awaitFailed(AnnotationConfigApplicationContext application, String why) {
		await().untilAsserted(() -> {
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.FAILED);
			assertThat(World.status(application, Accounts.PROJECTOR).detail()).contains(why)
				.contains("projection_skips and projection_inline");
		});
	}

	/** As an operator does who has emptied the read model. */
	private void forgetThatItWasInline() {
		this.world.jdbc().execute("""
				begin;
				select pg_advisory_xact_lock(eventing.inline_lock());
				delete from eventing.projection_skips where projection_name = 'accounts';
				delete from eventing.projection_inline where projection_name = 'accounts';
				commit""");
	}

}
