package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: a stream that lost its end, while the durable still knows it, gives the same
 * sequences to other events. These are applied, too.
 */
class G9LostTailIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void appliesWhatGotTheSequencesThatTheDurableHadSettled(Ordering ordering) {
		try (World world = World.create()) {
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
				publishAndAwait(world, "a", 5);
				assertThat(application.isActive()).isTrue();
			}
			world.jetStream((management) -> management.deleteConsumer(world.stream(), DURABLE));
			world.jetStream((management) -> management.addOrUpdateConsumer(world.stream(),
					ConsumerConfiguration.builder()
						.durable(DURABLE)
						.deliverPolicy(DeliverPolicy.ByStartSequence)
						.startSequence(101)
						.filterSubject(world.root() + ".*.deposited")
						.metadata(Map.of("eventing-placed", "behind-floor"))
						.build()));
			world.jdbc().update("update eventing.projector_positions set floor = 100");
			world.publish(World.ACME, "b", 1, 5);
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
				await().until(() -> world.version(World.ACME, "b") == 5);
				publishAndAwait(world, "c", 5);
				assertThat(application.isActive()).isTrue();
			}
			assertThat(world.count("select count(*) from violations")).isZero();
			assertThat(world.count("select floor from eventing.projector_positions")).isEqualTo(15);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void noticesWhileItRuns(Ordering ordering) throws Exception {
		try (World world = World.create();
				AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
			assumeThat(canReset(world)).as("the server can move a durable").isTrue();
			publishAndAwait(world, "a", 5);
			world.jetStream((management) -> management.resetConsumer(world.stream(), DURABLE, 101));
			publishAndAwait(world, "b", 5);
			publishAndAwait(world, "c", 5);
			assertThat(application.isActive()).isTrue();
			assertThat(world.count("select count(*) from violations")).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void remembersItWhileTheProjectorIsPaused(Ordering ordering) throws Exception {
		try (World world = World.create()) {
			assumeThat(canReset(world)).as("the server can move a durable").isTrue();
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
				publishAndAwait(world, "a", 5);
				assertThat(application.isActive()).isTrue();
			}
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering));
					Warnings warnings = new Warnings(Intake.class)) {
				application.getBean(ProjectorRegistry.class).pause(Accounts.PROJECTOR);
				world.jetStream((management) -> management.resetConsumer(world.stream(), DURABLE, 11));
				await().until(() -> warnings.isAny("has lost its end"));
				world.publish(World.ACME, "b", 1, 20);
				application.getBean(ProjectorRegistry.class).resume(Accounts.PROJECTOR);
				await().until(() -> world.version(World.ACME, "b") == 20);
				await().until(() -> world.count("select total from account where account = 'b'") == 20 * 21 / 2);
				assertThat(world.count("select count(*) from violations")).isZero();
			}
		}
	}

	@Test
	void noticesThatTheStreamHasGivenAllLostSequencesAgain(@TempDir Path copies) throws Exception {
		try (NatsServer nats = NatsServer.start();
				FaultProxy proxy = FaultProxy.to(nats.port());
				World world = World.on(nats)) {
			assumeThat(nats.storeDirectory()).as("the server's files are within reach").isDirectory();
			assumeThat(canReset(world)).as("the server can move a durable").isTrue();
			world.publish(World.ACME, "a", 1, 5);
			Path messages = copyMessages(nats, world, copies);
			try (AnnotationConfigApplicationContext application = world
				.start(accounts(Ordering.PER_KEY).natsAt("nats://127.0.0.1:" + proxy.port()))) {
				publishAndAwait(world, "b", 20);
				await().until(() -> world.unsettled(Accounts.PROJECTOR) == 0);
				proxy.cut();
				putBack(nats, messages, copies);
				assertThat(last(world)).isEqualTo(5);
				world.publish(World.ACME, "c", 1, 40);
				// a server that is alone has found its own error
				world.jetStream((management) -> management.resetConsumer(world.stream(), DURABLE, 26));
				proxy.restore();
				await().until(() -> world.version(World.ACME, "c") == 40);
				assertThat(world.count("select total from account where account = 'c'")).isEqualTo(40 * 41 / 2);
				assertThat(application.isActive()).isTrue();
				assertThat(world.count("select count(*) from violations")).isZero();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void takesNothingForHandledThatGotASequenceOfTheLostEnd(Ordering ordering) {
		try (World world = World.create()) {
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
				publishAndAwait(world, "a", 5);
				assertThat(application.isActive()).isTrue();
			}
			// it was reading skipped events again, of a stream that had 100
			world.jdbc().update("update eventing.projector_coverage set settled_to = 100");
			world.publish(World.ACME, "b", 1, 5);
			try (AnnotationConfigApplicationContext application = world.start(accounts(ordering))) {
				await().until(() -> world.version(World.ACME, "b") == 5);
				publishAndAwait(world, "c", 5);
				assertThat(application.isActive()).isTrue();
			}
			assertThat(world.count("select count(*) from violations")).isZero();
		}
	}

	@Test
	void noticesWhileItReadsSkippedEventsAgain(@TempDir Path copies) throws Exception {
		try (NatsServer nats = NatsServer.start();
				FaultProxy proxy = FaultProxy.to(nats.port());
				World world = World.on(nats)) {
			assumeThat(nats.storeDirectory()).as("the server's files are within reach").isDirectory();
			world.publisher()
				.publish(world.root() + ".{tenant}.withdrawn",
						Event.builder(World.ACME, new Withdrawn("a")).streamId("a").build());
			world.publish(World.ACME, "a", 1, 4);
			Path messages = copyMessages(nats, world, copies);
			try (AnnotationConfigApplicationContext application = world.start(accounts(Ordering.PER_KEY))) {
				publishAndAwait(world, "b", 20);
				assertThat(application.isActive()).isTrue();
			}
			CountDownLatch goOn = new CountDownLatch(1);
			Withdrawals withdrawals = new Withdrawals(goOn);
			ProjectorSettings oneAtATime = ProjectorSettings.builder().concurrency(1).maxAckPending(1).build();
			try (AnnotationConfigApplicationContext application = world
				.start(WorldApplication.of(new Accounts(), withdrawals)
					.with(oneAtATime)
					.natsAt("nats://127.0.0.1:" + proxy.port()))) {
				await().until(() -> withdrawals.entered.getCount() == 0);
				proxy.cut();
				putBack(nats, messages, copies);
				assertThat(last(world)).isEqualTo(5);
				world.publish(World.ACME, "c", 1, 10);
				proxy.restore();
				goOn.countDown();
				await().until(() -> world.version(World.ACME, "c") == 10);
				assertThat(application.isActive()).isTrue();
				assertThat(world.count("select count(*) from violations")).isZero();
			}
		}
	}

	private static Path copyMessages(NatsServer nats, World world, Path copies) throws IOException {
		Path messages = messages(nats.storeDirectory(), world.stream());
		nats.stop();
		FileSystemUtils.copyRecursively(messages, copies.resolve("messages"));
		nats.restart();
		return messages;
	}

	private static void putBack(NatsServer nats, Path messages, Path copies) throws IOException {
		nats.stop();
		FileSystemUtils.deleteRecursively(messages);
		FileSystemUtils.copyRecursively(copies.resolve("messages"), messages);
		nats.restart();
	}

	private static long last(World world) {
		return world
			.jetStream((management) -> management.getStreamInfo(world.stream()).getStreamState().getLastSequence());
	}

	private static boolean canReset(World world) throws Exception {
		try (Connection connection = Nats.connect(world.natsUrl())) {
			return connection.getServerInfo().isSameOrNewerThanVersion("2.14.0");
		}
	}

	private static Path messages(Path store, String stream) throws IOException {
		try (Stream<Path> files = Files.walk(store)) {
			return files.filter((file) -> file.endsWith(Path.of("streams", stream, "msgs"))).findFirst().orElseThrow();
		}
	}

	private static void publishAndAwait(World world, String account, long events) {
		world.publish(World.ACME, account, 1, events);
		await().until(() -> world.version(World.ACME, account) == events);
	}

	private static WorldApplication accounts(Ordering ordering) {
		// one lane, so that competing nodes apply in order too while nothing fails
		return WorldApplication.of(new Accounts())
			.with(ProjectorSettings.builder().concurrency(1).ordering(ordering).build());
	}

	/** A handler that a later version has, and that waits at its first event. */
	static class Withdrawals {

		final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch goOn;

		Withdrawals(CountDownLatch goOn) {
			this.goOn = goOn;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", projectorName = Accounts.PROJECTOR)
		public void on(Withdrawn event, UUID eventId, String tenantId) throws InterruptedException {
			this.entered.countDown();
			assertThat(this.goOn.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}

	}

	/** The warnings of a class of the library. */
	static class Warnings implements AutoCloseable {

		private final List<String> messages = new CopyOnWriteArrayList<>();

		private final Logger logger;

		private final Appender<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getLevel() == Level.WARN) {
					Warnings.this.messages.add(event.getFormattedMessage());
				}
			}

		};

		Warnings(Class<?> type) {
			this.logger = (Logger) LoggerFactory.getLogger(type);
			this.appender.start();
			this.logger.addAppender(this.appender);
		}

		boolean isAny(String part) {
			return this.messages.stream().anyMatch((message) -> message.contains(part));
		}

		@Override
		public void close() {
			this.logger.detachAppender(this.appender);
		}

	}

}
