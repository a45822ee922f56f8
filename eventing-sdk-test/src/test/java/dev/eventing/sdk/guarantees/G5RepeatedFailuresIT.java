package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.RepeatedFailurePolicy;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One bad deployment does not turn the history into dead letters. */
@ExtendWith(OutputCaptureExtension.class)
class G5RepeatedFailuresIT {

	private static final int ACCOUNTS = 40;

	private static final int LIMIT = 20;

	@AutoClose
	private final World world = World.create();

	private final AtomicBoolean broken = new AtomicBoolean(true);

	/** Its table is missing until the cause is corrected. */
	private final Accounts accounts = new Accounts((event) -> {
		if (this.broken.get()) {
			this.world.jdbc().update("insert into forgotten values (1)");
		}
	});

	@ParameterizedTest
	@CsvSource({ "JETSTREAM, PER_KEY", "JETSTREAM, NONE", "EVENT_STORE, PER_KEY" })
	void pauseAProjectorUntilATrySucceeds(Source source, Ordering ordering) {
		for (int account = 0; account < ACCOUNTS; account++) {
			publish(source, account);
		}
		try (AnnotationConfigApplicationContext application = start(settings(source, ordering))) {
			awaitPause(application);
			ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
			assertThat(status.detail()).contains("its first 20 events failed for one reason: ",
					"relation \"forgotten\" does not exist");
			assertThat(lettersOf()).hasSizeLessThan(LIMIT);
			this.broken.set(false);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			int letters = lettersOf().size();
			await().until(() -> this.world.count("select count(*) from account") == ACCOUNTS - letters);
			assertThat(lettersOf()).hasSize(letters);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	@Test
	void makeNoLettersAtAllWhereEventsHaveAttemptsLeft() {
		for (int account = 0; account < ACCOUNTS; account++) {
			publish(Source.JETSTREAM, account);
		}
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.builder()
			.retryDelay(Duration.ofSeconds(5))
			.onRepeatedFailure(RepeatedFailurePolicy.PAUSE)
			.build())) {
			awaitPause(application);
			assertThat(lettersOf()).isEmpty();
		}
		this.broken.set(false);
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> this.world.count("select count(*) from account") == ACCOUNTS);
		}
		assertThat(lettersOf()).isEmpty();
	}

	/** Whichever process asks. */
	@Test
	void endWithAResumeOfAnOperator(CapturedOutput output) {
		for (int account = 0; account < ACCOUNTS; account++) {
			publish(Source.JETSTREAM, account);
		}
		try (AnnotationConfigApplicationContext application = start(settings(Source.JETSTREAM, Ordering.PER_KEY))) {
			awaitPause(application);
			Projectors operators = application.getBean(Projectors.class);
			await().until(() -> operators.find(Accounts.PROJECTOR)
				.map(ProjectorOverview::status)
				.filter((status) -> status.state().equals(ProjectorOverview.Status.PAUSED_BY_FAILURES))
				.isPresent());
			assertThat(operators.resume(Accounts.PROJECTOR, "test", "once more")).isTrue();
			await().untilAsserted(() -> assertThat(output)
				.contains("'accounts' goes on after its pause by failures: an operator resumed it."));
			this.broken.set(false);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	@Test
	void areDeadLettersWhereThePolicySaysSo() {
		for (int account = 0; account < ACCOUNTS; account++) {
			publish(Source.JETSTREAM, account);
		}
		ProjectorSettings settings = settings(Source.JETSTREAM, Ordering.PER_KEY).toBuilder()
			.onRepeatedFailure(RepeatedFailurePolicy.DEAD_LETTER)
			.build();
		try (AnnotationConfigApplicationContext application = start(settings)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> lettersOf().size() == ACCOUNTS);
		}
	}

	private void awaitPause(AnnotationConfigApplicationContext application) {
		await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.PAUSED_BY_FAILURES);
		assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
	}

	private List<DeadLetter> lettersOf() {
		return this.world.deadLetters(Accounts.PROJECTOR);
	}

	/** The first failure of an event is the last. */
	private static ProjectorSettings settings(Source source, Ordering ordering) {
		return ProjectorSettings.builder()
			.source(source)
			.ordering(ordering)
			.maxDeliver(1)
			.repeatedFailures(LIMIT)
			.onRepeatedFailure(RepeatedFailurePolicy.PAUSE)
			.build();
	}

	private AnnotationConfigApplicationContext start(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(this.accounts).with(settings));
	}

	private void publish(Source source, int account) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a" + account, 1, 1);
		}
		else {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
	}

}
