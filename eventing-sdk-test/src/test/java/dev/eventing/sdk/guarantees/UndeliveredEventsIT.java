package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Events wait, requests are open and the server answers them, but it delivers nothing. A
 * mapping of the account stands for what leads requests astray: the durable of another
 * name that gets them has no events.
 */
class UndeliveredEventsIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(NatsServer.start(NatsServerBinary.find(), """
			mappings: { "$JS.API.CONSUMER.MSG.NEXT.*.%s": "$JS.API.CONSUMER.MSG.NEXT.$1.astray" }"""
		.formatted(DURABLE)));

	private final World world = this.fixture.opened(World.on(this.server));

	@Test
	void areAStateThatHealthShows() {
		createTheDurableThatGetsTheRequests();
		ProjectorSettings settings = ProjectorSettings.builder().stalledAfter(Duration.ofSeconds(6)).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().untilAsserted(() -> {
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.STALLED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("the server delivers none of the 3 events that wait");
				assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
				assertThat(StruckThreads.health(application).getDetails().toString())
					.contains("the server delivers none of the 3 events that wait");
			});
			assertThat(this.world.version(World.ACME, "a")).isZero();
			ConsumerInfo durable = this.world
				.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE));
			assertThat(durable.getNumPending()).isEqualTo(3);
			assertThat(durable.getNumAckPending()).isZero();
		}
	}

	private void createTheDurableThatGetsTheRequests() {
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
				ConsumerConfiguration.builder()
					.durable("astray")
					.filterSubject(this.world.root() + ".none.deposited")
					.ackPolicy(AckPolicy.Explicit)
					.build()));
	}

}
