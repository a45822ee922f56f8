package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveStateFormException;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G15: states of one form are changed only by code that has the same properties: other
 * code would drop what it does not know, and begin its own in the midst of a history.
 */
@ExtendWith(OutputCaptureExtension.class)
class G15StateFormIT {

	private static final String VIEW = "forms";

	private static final String REASON = "counts, too";

	private static final String DIFFERENCE = "have another form than in version 1 of this node's code: the code"
			+ " has 'count', 'sum', which they lack, and lacks 'total', which they have.";

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void isKeptByTheCodeThatHasIt(CapturedOutput output) {
		append(1, 3);
		try (AnnotationConfigApplicationContext former = start(new Former())) {
			awaitState(former, 3, new Sum(6));
			try (AnnotationConfigApplicationContext changed = start(new Changed())) {
				await().until(() -> output.toString().contains(DIFFERENCE));
				append(4, 4);
				awaitState(former, 4, new Sum(10));
				Steady.holds(Duration.ofSeconds(2), () -> status(changed).state() == ProjectorState.STANDBY);
				LiveViews byHand = changed.getBean(LiveViews.class);
				assertThatExceptionOfType(LiveStateFormException.class)
					.isThrownBy(() -> byHand.apply(VIEW, this.world.deposit(World.ACME, "a", 5)))
					.withMessageStartingWith("The states of live view 'forms' " + DIFFERENCE);
				former.close();
				append(5, 5);
				await().untilAsserted(() -> {
					assertThat(status(changed).state()).isEqualTo(ProjectorState.FAILED);
					assertThat(status(changed).detail())
						.isEqualTo("The states of generation 1 of projector 'forms' " + DIFFERENCE
								+ " Consider version 2 for the changed class, beside the former one, and a rebuild."
								+ " No node feeds it.");
				});
				assertThat(stored(1)).isEqualTo("{\"total\": 10}");
				assertThat(this.world.deadLetters(VIEW)).isEmpty();
				try (AnnotationConfigApplicationContext again = start(new Former())) {
					awaitState(again, 5, new Sum(15));
					await().until(() -> status(changed).state() == ProjectorState.STANDBY);
				}
			}
		}
	}

	@Test
	void changesWithAVersionThatIsBuiltBesideTheFormer() {
		append(1, 3);
		try (AnnotationConfigApplicationContext former = start(new Former())) {
			awaitState(former, 3, new Sum(6));
		}
		try (AnnotationConfigApplicationContext both = start(new Former(), new Next())) {
			this.operators.rebuildBeside(VIEW, "anna", REASON, Patience.LONG);
			await().until(() -> this.operators.generations(VIEW).get(0).status() == Status.READY);
			switchTo(2);
			append(4, 4);
			await().until(() -> "{\"sum\": 10, \"count\": 4}".equals(stored(2)));
			await().until(() -> "{\"total\": 10}".equals(stored(1)));
			switchTo(1);
			append(5, 5);
			await().until(() -> "{\"total\": 15}".equals(stored(1)));
			assertThat(both.getBean(LiveViews.class).readRequired(World.ACME, VIEW, "a").as(Sum.class))
				.isEqualTo(new Sum(15));
			await().until(() -> "{\"sum\": 15, \"count\": 5}".equals(stored(2)));
		}
	}

	@Test
	void isThatOfTheCodeThatFillsTheViewFromTheBeginning() {
		append(1, 3);
		Former before = new Former();
		try (AnnotationConfigApplicationContext former = start(before)) {
			awaitState(former, 3, new Sum(6));
			before.unavailable = true;
			this.operators.rebuildInPlace(VIEW, "anna", REASON, Patience.LONG);
			await().until(() -> this.operators.generations(VIEW).get(0).status() == Status.FILLING);
		}
		try (AnnotationConfigApplicationContext changed = start(new Changed())) {
			await().until(() -> this.operators.generations(VIEW).get(0).status() == Status.LIVE);
			awaitState(changed, 3, new Count(6, 3));
			assertThat(this.world
				.count("select count(*) from eventing.projection_audit where action = 'REBUILD_BEGUN_AGAIN'")).isOne();
		}
	}

	/** An operator has decided that what is lost does no harm. */
	@Test
	void isGivenUpByAStatement() {
		append(1, 3);
		try (AnnotationConfigApplicationContext former = start(new Former())) {
			awaitState(former, 3, new Sum(6));
		}
		assertThat(this.world.jdbc().update("""
				update eventing.projections
				   set definition = regexp_replace(definition, ' with states of \\(.*\\)', '')
				 where projection_name = 'forms' and status = 'LIVE'""")).isOne();
		append(4, 4);
		try (AnnotationConfigApplicationContext changed = start(new Changed())) {
			awaitState(changed, 4, new Count(4, 1));
			assertThat(this.world.count("select count(*) from eventing.projections where definition like"
					+ " '% with states of (count, sum) in rows of generations'"))
				.isOne();
		}
	}

	private AnnotationConfigApplicationContext start(Object... views) {
		return this.world.start(WorldApplication.of(views).lease(Duration.ofSeconds(2)));
	}

	private void append(long from, long to) {
		this.world.append(World.ACME, "a", from, to);
	}

	private static ProjectorStatus status(AnnotationConfigApplicationContext application) {
		return World.status(application, VIEW);
	}

	private static void awaitState(AnnotationConfigApplicationContext application, long version, Object state) {
		LiveViews views = application.getBean(LiveViews.class);
		await().until(() -> views.read(World.ACME, VIEW, "a")
			.filter((each) -> each.version().version() == version)
			.isPresent());
		LiveState read = views.readRequired(World.ACME, VIEW, "a");
		assertThat((Object) read.as(state.getClass())).isEqualTo(state);
	}

	private String stored(int generation) {
		return String.valueOf(this.world.jdbc()
			.queryForObject("select state::text from eventing.projection_snapshots where generation = ?", String.class,
					generation));
	}

	private void switchTo(int generation) {
		assertThat(PatientSwitch.ask(() -> {
			this.operators.switchTo(VIEW, generation, "anna", REASON, Patience.LONG);
			await().until(() -> request().status() != ProjectionRequest.Status.PENDING);
			return String.valueOf(request().detail());
		})).startsWith("Generation " + generation + " is live from position ");
	}

	private ProjectionRequest.State request() {
		return this.operators.lastRequest(VIEW).orElseThrow().state();
	}

	/** As it was. */
	@LiveView(value = VIEW, subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
	static class Former {

		private volatile boolean unavailable;

		Sum initial() {
			return new Sum(0);
		}

		String key(Deposited event) {
			return event.account();
		}

		Sum apply(Sum state, Deposited event) {
			if (this.unavailable) {
				throw new DataAccessResourceFailureException("made by the test");
			}
			return new Sum(state.total() + event.amount());
		}

	}

	/** Its states have another property, and one has another name. */
	@LiveView(value = VIEW, subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
	static class Changed {

		Count initial() {
			return new Count(0, 0);
		}

		String key(Deposited event) {
			return event.account();
		}

		Count apply(Count state, Deposited event) {
			return new Count(state.sum() + event.amount(), state.count() + 1);
		}

	}

	/** The same, with a version of its own. */
	@LiveView(value = VIEW, version = 2, subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
	static class Next extends Changed {

	}

	record Sum(long total) {
	}

	record Count(long sum, long count) {
	}

}
