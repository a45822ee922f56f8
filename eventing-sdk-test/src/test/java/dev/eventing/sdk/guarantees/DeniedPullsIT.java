package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.nats.Advisories;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The server denies what a projector pulls beside its durable: the advisories, or the
 * stream from which it fills its read model.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeniedPullsIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private static final String UNREAD = "cannot read which events JetStream gives up: ";

	private static final String DENIED = "permissions violation for publish to \"$JS.API.CONSUMER.MSG.NEXT.";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(NatsUsers.unnamed()
		.and("deaf", NatsUsers.denied("$JS.API.CONSUMER.MSG.NEXT." + Advisories.STREAM + ".>"))
		.and("follower",
				NatsUsers.allowed("$JS.API.STREAM.>", "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.INFO.>",
						"$JS.API.CONSUMER.DELETE.>", "$JS.API.CONSUMER.RESET.>",
						"$JS.API.CONSUMER.MSG.NEXT.*." + DURABLE, "$JS.ACK.>"))
		.start());

	private final World world = this.fixture.opened(World.on(this.server));

	/** The log has it once, also if the words of the server have another time. */
	@Test
	void ofAdvisoriesAreInTheStatusWithTheWordsOfTheServer(CapturedOutput output) {
		WorldApplication capturing = WorldApplication.of(new Accounts())
			.natsAt(NatsUsers.url(this.server, "deaf"))
			.customize((context) -> context.registerBean(DeadLetterStreamOptions.class,
					() -> new DeadLetterStreamOptions(true, true)));
		try (AnnotationConfigApplicationContext application = this.world.start(capturing)) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().untilAsserted(() -> {
				assertThat(status(application).detail()).contains("; it " + UNREAD, "does not answer. It reported: ");
				assertThat(status(application).detail()).containsIgnoringCase(DENIED + Advisories.STREAM);
			});
			assertThat(status(application).state()).isEqualTo(ProjectorState.RUNNING);
			assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(StruckThreads.health(application).getDetails().toString()).contains("; it " + UNREAD);
			String first = status(application).detail();
			await().until(() -> !status(application).detail().equals(first));
			assertThat(output.getOut()).containsOnlyOnce("Projector 'accounts' " + UNREAD);
		}
	}

	@Test
	void ofTheStreamThatFillsAReadModelStallTheProjectorUntilTheyAreAllowed() {
		String undelivered = "the server delivers none of the events of stream '" + this.world.stream() + "' after ";
		String denied = DENIED + this.world.stream() + ".eventing-reader-";
		StreamRebuilds rebuilds = new StreamRebuilds(this.world);
		rebuilds.publishAll(1, 3);
		WorldApplication stallingSoon = WorldApplication.of(new StreamAccounts())
			.with(ProjectorSettings.builder().stalledAfter(Duration.ofSeconds(6)).build())
			.lease(Duration.ofSeconds(2))
			.natsAt(NatsUsers.url(this.server, "follower"));
		try (AnnotationConfigApplicationContext application = this.world.start(stallingSoon)) {
			rebuilds.awaitVersions("public", 3);
			rebuilds.rebuild();
			await().untilAsserted(() -> {
				assertThat(status(application).state()).isEqualTo(ProjectorState.STALLED);
				assertThat(status(application).detail()).contains(undelivered, "; it reported: ");
				assertThat(status(application).detail()).containsIgnoringCase(denied);
			});
			assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
		}
		try (AnnotationConfigApplicationContext application = rebuilds.start(new StreamAccounts())) {
			rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			rebuilds.assertThatTheReadModelIsExact("public", 3);
			await().until(() -> status(application).state() == ProjectorState.RUNNING);
		}
	}

	private static ProjectorStatus status(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR);
	}

}
