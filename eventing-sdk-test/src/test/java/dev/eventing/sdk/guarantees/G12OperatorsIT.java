package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.ProjectorState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What operators do to an inline projector loses no event, and leaves no rows behind. */
@ExtendWith(OutputCaptureExtension.class)
class G12OperatorsIT extends InlineSetup {

	@Test
	void hasAllEventsThoughItsTriggerWasDroppedWhileItWasPausedAndDemoted() {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 3);
		this.projectors.pause(Accounts.PROJECTOR, "anna", "a test");
		await().until(() -> World.status(node, Accounts.PROJECTOR).state() == ProjectorState.PAUSED);
		append(node, "a", 4, 4);
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		assertThat(row().isInline()).as("its owner is paused").isFalse();
		this.world.jdbc().execute("drop trigger eventing_inline on eventing.events");
		this.world.append(World.ACME, "a", 5, 6);
		this.projectors.resume(Accounts.PROJECTOR, "anna", null);
		await().until(() -> version("a") == 6);
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		awaitStatus(InlineStatus.INLINE);
		this.world.append(World.ACME, "a", 7, 7);
		await().until(() -> version("a") == 7);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void leavesNoSkipsIfItIsDemotedWhileNoNodeRunsIt() {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 3);
		node.close();
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		this.world.append(World.ACME, "a", 4, 6);
		assertThat(this.world.count("select count(*) from eventing.projection_skips")).isZero();
		start(new Inline());
		await().until(() -> version("a") == 6);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DEMOTED);
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void isDemotedAtOnceThoughAnAppendStaysOpenAndLeavesAfterIt() {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			append(store, "a", 1);
			assertThat(this.inline.demote(Accounts.PROJECTOR, "anna", "a test")).isTrue();
			assertThat(row().isDemoted()).isTrue();
			assertThat(row().isInline()).as("the append waits for nothing").isTrue();
			return true;
		});
		await().until(() -> !row().isInline());
		append(node, "a", 2, 3);
		await().until(() -> version("a") == 3);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void ceasesToBeInlineWithoutItsTriggerAndMakesItAgain(CapturedOutput output) {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 3);
		long turn = row().turn();
		this.world.jdbc().execute("drop trigger eventing_inline on eventing.events");
		await().until(() -> row().isInline() && row().turn() > turn);
		assertThat(output).contains("the trigger eventing_inline on the events is missing or disabled");
		assertThat(output).doesNotContain("has diverged");
		this.world.append(World.ACME, "a", 4, 4);
		await().until(() -> version("a") == 4);
		awaitStatus(InlineStatus.INLINE);
		assertThat(output).contains("Projector 'accounts' has diverged: appends did not run its handlers.");
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void doesNotTurnWhileItsTriggerIsDisabled(CapturedOutput output) {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		this.world.jdbc().execute("alter table eventing.events disable trigger eventing_inline");
		await().until(() -> !row().isInline());
		await().until(() -> World.status(node, Accounts.PROJECTOR)
			.detail()
			.contains("not yet: the trigger eventing_inline on the events is disabled"));
		assertThat(StringUtils.countOccurrencesOf(output.toString(),
				"does not become inline: the trigger eventing_inline on the events is disabled"))
			.isOne();
		this.world.append(World.ACME, "a", 1, 3);
		await().until(() -> version("a") == 3);
		this.world.jdbc().execute("alter table eventing.events enable trigger eventing_inline");
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	/**
	 * Each append would run its handlers, because its session remembers that it is
	 * inline.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "projection_inline", "projection_skips", "projector_controls" })
	void tellsAppendsOfChangesWithoutTheTriggersThatDo(String table, CapturedOutput output) {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 3);
		this.world.jdbc().execute("alter table eventing." + table + " disable trigger inline_change");
		await()
			.untilAsserted(() -> assertThat(output).contains("Projector 'accounts' is inline, but one of the triggers"
					+ " inline_change on projection_inline, projection_skips and projector_controls is missing or disabled."));
		append(node, "a", 4, 6);
		this.projectors.pause(Accounts.PROJECTOR, "anna", "a test");
		append(node, "a", 7, 9);
		assertThat(version("a")).as("appends skip a paused projector").isEqualTo(6);
		this.projectors.resume(Accounts.PROJECTOR, "anna", null);
		await().until(() -> version("a") == 9);
		awaitStatus(InlineStatus.INLINE);
		this.world.append(World.ACME, "a", 10, 10);
		append(node, "a", 11, 12);
		await().until(() -> version("a") == 12);
		awaitStatus(InlineStatus.INLINE);
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		append(node, "a", 13, 15);
		await().until(() -> version("a") == 15);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void doesNotTurnBeforeItsRoleMayMakeTheTrigger() {
		try (LimitedRole role = new LimitedRole(this.world)) {
			this.world.jdbc().execute("revoke trigger on eventing.events from " + role.name());
			try (AnnotationConfigApplicationContext node = this.world
				.start(role.of(WorldApplication.of(new Inline()).lease(Duration.ofSeconds(2))))) {
				await().until(() -> World.status(node, Accounts.PROJECTOR)
					.detail()
					.contains("not yet: role " + role.name() + " lacks the right TRIGGER on the events"));
				append(node, "a", 1, 3);
				this.world.jdbc().execute("grant trigger on eventing.events to " + role.name());
				awaitStatus(InlineStatus.INLINE);
				append(node, "a", 4, 4);
				assertThat(version("a")).isEqualTo(4);
				assertThatTheReadModelHasAllEvents();
			}
		}
	}

	private InlineRow row() {
		return this.ledger.find().orElseThrow();
	}

}
