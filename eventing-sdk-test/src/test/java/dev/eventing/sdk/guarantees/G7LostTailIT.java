package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.relay.RelayLooks;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: a JetStream that lost the end of its stream, as a server whose confirmations came
 * before the disk had them, gets it again, and the effects stay exact.
 */
class G7LostTailIT {

	private static final int ACCOUNTS = 50;

	/**
	 * A server that was put back takes deliveries for unsettled that were settled
	 * afterwards: full of them, a durable hands out nothing until their ack wait is over.
	 */
	private static final ProjectorSettings SHORT_ACK_WAIT = ProjectorSettings.builder()
		.ackWait(Duration.ofSeconds(5))
		.build();

	@TempDir
	Path copies;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture.opened(NatsServer.start());

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.nats));

	@Test
	void publishesAgainWhatTheStreamHasLostWhileTheRelayWasAway() throws IOException {
		try (var accounts = this.world.world().start(WorldApplication.of(new Accounts()).with(SHORT_ACK_WAIT))) {
			fill(100);
			copyThenFillThenPutBack(60);
			appendRounds(10);
			try (var relay = this.world.start(this.world.options())) {
				this.world.awaitDrained();
				assertThat(RelayWorld.status(relay).counts().published()).isGreaterThanOrEqualTo(60 * ACCOUNTS);
				assertThat(RelayWorld.status(relay).counts().present()).isPositive();
			}
			long twice = this.world.assertThatTheStreamHoldsEverythingInOrder();
			System.out.printf("%d events lost, %d in the stream twice%n", 60 * ACCOUNTS, twice);
			assertThatTheEffectsAreExact(170);
			assertThat(accounts.isRunning()).isTrue();
		}
	}

	@Test
	void noticesWhileItRuns() throws IOException {
		try (var relay = this.world.start(this.world.options())) {
			appendRounds(20);
			this.world.awaitDrained();
			copyThenFillThenPutBack(20);
			appendRounds(5);
			this.world.awaitDrained();
			await().untilAsserted(() -> this.world.assertThatTheStreamHoldsEverythingInOrder());
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
		}
	}

	@Test
	void asksAPersonWhenTheStreamWasMadeAnew() {
		fill(10);
		this.world.jetStream((management) -> {
			var configuration = management.getStreamInfo(this.world.world().stream()).getConfiguration();
			management.deleteStream(this.world.world().stream());
			return management.addStream(configuration);
		});
		try (var relay = this.world.start(this.world.options())) {
			await().untilAsserted(() -> assertThat(RelayWorld.status(relay).detail())
				.contains("republish(\"accounts\", 1, " + 10 * ACCOUNTS + ")"));
			assertThat(this.world.stored()).isEmpty();
			relay.getBean(Relays.class).republish(RelayWorld.RELAY, 1, 10 * ACCOUNTS);
			this.world.assertThatTheStreamHoldsEverythingInOrder();
		}
	}

	@Test
	void noticesAStreamThatIsMadeAnewWhileItRunsByTheFirstConfirmation() {
		try (var relay = this.world.start(this.world.options())) {
			appendRounds(2);
			this.world.awaitDrained();
			this.world.jetStream((management) -> {
				var configuration = management.getStreamInfo(this.world.world().stream()).getConfiguration();
				management.deleteStream(this.world.world().stream());
				return management.addStream(configuration);
			});
			this.world.appendRound(1);
			await().untilAsserted(() -> assertThat(RelayWorld.status(relay).detail())
				.contains("republish(\"accounts\", 1, " + 2 * ACCOUNTS + ")"));
		}
	}

	@Test
	void findsWhatAStreamHasLostThoughOthersHaveFilledItUp() throws IOException {
		fill(10);
		copyThenFillThenPutBack(10);
		this.world.world().publish(World.ACME, "other", 1, 11 * ACCOUNTS);
		DataSource dataSource = Objects.requireNonNull(this.world.jdbc().getDataSource());
		try (NatsClient client = new NatsClient(NatsOptions.of(this.nats.url()))) {
			long reached = 20 * ACCOUNTS;
			long kept = 10 * ACCOUNTS;
			assertThat(RelayLooks.resume(this.world.options(), client, dataSource, Map.of()))
				.as("the stream has grown past its former end")
				.isEqualTo(reached);
			assertThat(RelayLooks.resume(this.world.options(), client, dataSource,
					Map.of(this.world.world().stream(), kept + 1)))
				.isLessThanOrEqualTo(kept);
			this.world.jdbc().update("update eventing.relay_streams set given_again = ?", kept + 1);
			assertThat(RelayLooks.resume(this.world.options(), client, dataSource, Map.of()))
				.as("another node has noticed it")
				.isLessThanOrEqualTo(kept);
		}
	}

	@Test
	void asksAPersonWhenConsumersMayHaveForgottenWhatTheStreamHasLost() throws IOException {
		fill(10);
		copyThenFillThenPutBack(10);
		this.world.world()
			.jdbc()
			.update("insert into eventing.projector_prunings (projector_name, stream, pruned_before, retention)"
					+ " values ('accounts', 'x', clock_timestamp(), interval '7 days')");
		appendRounds(5);
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).detail())
					.contains("republishAlsoPruned(\"accounts\", " + (10 * ACCOUNTS + 1) + ", " + 20 * ACCOUNTS + ")");
				assertThat(RelayWorld.status(relay).counts().published()).isEqualTo(5 * ACCOUNTS);
			});
			relay.getBean(Relays.class).republishAlsoPruned(RelayWorld.RELAY, 10 * ACCOUNTS + 1, 20 * ACCOUNTS);
			await().untilAsserted(() -> assertThat(this.world.stored()).hasSize(25 * ACCOUNTS));
		}
	}

	private void fill(int rounds) {
		appendRounds(rounds);
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
		}
	}

	private void appendRounds(int rounds) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "account-" + account, rounds);
		}
	}

	/** The server forgets what came after the copy. */
	private void copyThenFillThenPutBack(int rounds) throws IOException {
		StoreCopy copy = StoreCopy.of(this.nats, this.copies);
		boolean running = this.world.world()
			.count("select count(*) from eventing.leases where lease_name like 'relay/%' and expires_at > now()") > 0;
		if (running) {
			appendRounds(rounds);
			this.world.awaitDrained();
		}
		else {
			fill(rounds);
		}
		copy.putBack();
	}

	private void assertThatTheEffectsAreExact(long version) {
		await()
			.untilAsserted(() -> assertThat(this.world.world().count("select coalesce(min(version), 0) from account"))
				.isEqualTo(version));
		assertThat(this.world.world().count("select count(*) from violations")).isZero();
		assertThat(this.world.world().count("select sum(total) from account"))
			.isEqualTo(ACCOUNTS * version * (version + 1) / 2);
	}

}
