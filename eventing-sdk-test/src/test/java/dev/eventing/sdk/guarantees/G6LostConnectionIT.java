package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Stopwatch;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6 across lost connections: what the server had sent and the projector never received
 * is handed out again only when its ack wait is over, behind newer events. The ack wait
 * is long here, so that a projector that leaves it at that applies events out of order.
 */
class G6LostConnectionIT {

	private static final ProjectorSettings LONG_ACK_WAIT = ProjectorSettings.builder()
		.ackWait(Duration.ofSeconds(30))
		.batchSize(50)
		.concurrency(2)
		.build();

	private static final int ACCOUNTS = 40;

	private final CountDownLatch never = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	@AutoClose
	private final FaultProxy proxy = FaultProxy.to(TestServers.nats().port());

	@ParameterizedTest
	@EnumSource
	void appliesEachEventOnceAndInOrderWhenTheConnectionFailsUnderLoad(Fault fault) throws InterruptedException {
		Random random = new Random(20260821);
		WorldApplication application = WorldApplication.of(new Accounts())
			.with(LONG_ACK_WAIT)
			.natsAt("nats://127.0.0.1:" + this.proxy.port());
		try (AnnotationConfigApplicationContext context = this.world.start(application);
				Load load = Load.of(this.world, ACCOUNTS, Duration.ofMillis(20))) {
			load.awaitApplied(5);
			for (int cut = 0; cut < fault.times; cut++) {
				passTime(random.nextInt(300));
				fault.strike(this.proxy);
				passTime(random.nextInt(fault.longest));
				fault.end(this.proxy);
				this.proxy.restore();
				if (cut % 3 == 0) {
					load.awaitApplied(2);
				}
			}
			load.stopAndAwaitAll();
			assertThat(World.status(context, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
	}

	@Test
	void losesNothingToARequestThatOnlyTheServerKnowsOf() {
		WorldApplication application = WorldApplication.of(new Accounts())
			.with(LONG_ACK_WAIT)
			.natsAt("nats://127.0.0.1:" + this.proxy.port());
		try (AnnotationConfigApplicationContext context = this.world.start(application)) {
			assertThat(context.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.proxy.forgetClients();
			this.proxy.restore();
			await().until(() -> this.proxy.connections() == 2);
			for (long version = 2; version <= 20; version++) {
				this.world.publish(World.ACME, "a", version, version);
				await().pollDelay(Duration.ofMillis(200)).until(() -> true);
			}
			Stopwatch.time(() -> await().until(() -> this.world.version(World.ACME, "a") == 20))
				.assertWithin(Duration.ofSeconds(5));
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	/**
	 * As a former owner does that was frozen between a look at its lease and its request.
	 */
	@Test
	void takesBackInOrderWhatARequestOfAnotherNodeWasGiven() throws Exception {
		WorldApplication application = WorldApplication.of(new Accounts()).with(LONG_ACK_WAIT);
		try (AnnotationConfigApplicationContext context = this.world.start(application);
				Load load = Load.of(this.world, ACCOUNTS, Duration.ofMillis(20))) {
			load.awaitApplied(5);
			for (int request = 0; request < 5; request++) {
				takeAway(3);
				load.awaitApplied(2);
			}
			load.stopAndAwaitAll();
			assertThat(World.status(context, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
	}

	/** Takes deliveries of the projector's durable and keeps them. */
	private void takeAway(int deliveries) throws Exception {
		Connection stranger = Nats.connect(this.world.natsUrl());
		try {
			String inbox = stranger.createInbox();
			Subscription taken = stranger.subscribe(inbox);
			stranger.publish(
					"$JS.API.CONSUMER.MSG.NEXT." + this.world.stream() + "." + Accounts.PROJECTOR + "-consumer", inbox,
					("{\"batch\":" + deliveries + ",\"expires\":30000000000}").getBytes(StandardCharsets.UTF_8));
			Message first = taken.nextMessage(Patience.LONG);
			assertThat(first).isNotNull();
			assertThat(first.isStatusMessage()).isFalse();
		}
		finally {
			stranger.close();
		}
	}

	/** The moments of the cuts are the one thing here that is left to the clock. */
	private void passTime(long millis) throws InterruptedException {
		assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
	}

	/** The ways a connection fails. */
	enum Fault {

		/** Both sides see its end. */
		CUT(9, 300) {

			@Override
			void strike(FaultProxy proxy) {
				proxy.cut();
			}

		},

		/** It stands and says nothing for a while, then both sides see its end. */
		SILENT_THEN_CUT(4, 2500) {

			@Override
			void strike(FaultProxy proxy) {
				proxy.swallow();
			}

			@Override
			void end(FaultProxy proxy) {
				proxy.cut();
			}

		},

		/** The client sees its end, the server keeps sending. */
		STANDING_FOR_THE_SERVER(4, 300) {

			@Override
			void strike(FaultProxy proxy) {
				proxy.forgetClients();
			}

		};

		private final int times;

		private final int longest;

		Fault(int times, int longest) {
			this.times = times;
			this.longest = longest;
		}

		abstract void strike(FaultProxy proxy);

		void end(FaultProxy proxy) {
		}

	}

}
