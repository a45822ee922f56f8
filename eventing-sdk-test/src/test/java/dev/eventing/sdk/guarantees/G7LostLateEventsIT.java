package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Path;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: a JetStream that lost events which were published late, far behind the positions at
 * its new end, gets them again.
 */
class G7LostLateEventsIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final int WAITING = 20;

	/** More than the window by which the relay goes back. */
	private static final int OTHERS = 2600;

	@TempDir
	Path copies;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture
		.opened(NatsUsers.unnamed().and("application", NatsUsers.denied("*.globex.>")).start());

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.nats));

	@Test
	void publishesAgainWhatHadWaitedAndIsLost() throws IOException {
		waitAside();
		StoreCopy copy = StoreCopy.of(this.nats, this.copies);
		try (var relay = this.world.start(this.world.options())) {
			await().until(() -> rows() == 0 && messages() == OTHERS + WAITING);
			this.world.append(GLOBEX, "later", 1);
			this.world.append(GLOBEX, "g0", 1);
			await().until(() -> messages() == OTHERS + WAITING + 2);
		}
		copy.putBack();
		try (var relay = this.world.start(this.world.options())) {
			await().untilAsserted(() -> this.world.assertThatTheStreamHoldsEverythingInOrder());
			await().until(() -> rows() == 0);
			assertThat(late()).isEqualTo(WAITING + 1); // the last one was held behind the
														// first
		}
	}

	@Test
	void noticesItWhileItRuns() throws IOException {
		waitAside();
		StoreCopy copy = StoreCopy.of(this.nats, this.copies);
		try (var relay = this.world.start(this.world.options())) {
			await().until(() -> rows() == 0 && messages() == OTHERS + WAITING);
			copy.putBack();
			this.world.append(World.ACME, "a", 1);
			await().untilAsserted(() -> this.world.assertThatTheStreamHoldsEverythingInOrder());
		}
	}

	private void waitAside() {
		for (int stream = 0; stream < WAITING; stream++) {
			this.world.append(GLOBEX, "g" + stream, 1);
		}
		for (int stream = 0; stream < OTHERS / 100; stream++) {
			this.world.append(World.ACME, "a" + stream, 100);
		}
		String denied = NatsUsers.url(this.nats, "application");
		try (var relay = this.world.world().start(RelayWorld.application(this.world.options()).natsAt(denied))) {
			await().until(() -> rows() == WAITING && messages() == OTHERS);
			this.world.awaitDrained();
		}
	}

	private long rows() {
		return this.world.world().count("select count(*) from eventing.relay_refusals");
	}

	private long late() {
		return this.world.world().count("select count(*) from eventing.relay_late_events");
	}

	private long messages() {
		return this.world
			.jetStream((management) -> management.getStreamInfo(this.world.world().stream()).getStreamState())
			.getMsgCount();
	}

}
