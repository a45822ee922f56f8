package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The permissions that docs/managed-services.md lists suffice, word for word. */
class NatsPermissionsIT {

	private static final Path PAGE = Path.of("../docs/managed-services.md");

	private static final String ROOT = "permitted";

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private final CountDownLatch never = new CountDownLatch(1);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(
			NatsUsers.unnamed().and("projector", permissions("projector")).and("relay", permissions("relay")).start());

	private final World world = this.fixture.opened(World.on(this.server, ROOT));

	@AfterEach
	void letGo() {
		this.never.countDown();
	}

	@Test
	void sufficeForAProjectorThatReadsEventsAgainAndWhoseDurableIsGone() {
		AtomicBoolean begun = new AtomicBoolean();
		Accounts accounts = new Accounts((event) -> {
			if (event.version() == 3 && begun.compareAndSet(false, true)) {
				awaitTheEndOfTheLease();
			}
		});
		try (AnnotationConfigApplicationContext application = start("projector",
				WorldApplication.of(accounts).lease(Duration.ofSeconds(1)))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			this.world.publish(World.ACME, "a", 3, 4);
			await().until(begun::get);
			// the durable is reset
			this.world.takeLease("projector/" + Accounts.PROJECTOR);
			await().until(() -> this.world.version(World.ACME, "a") == 4);
			this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
			this.world.publish(World.ACME, "a", 5, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			isDeniedNothing(application);
		}
		assertThat(accounts.calledVersions("a")).contains(1L, 2L, 3L, 4L, 5L);
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	/** The second start reads the end of the stream. */
	@Test
	void sufficeForARelayThatComparesTheStreamWithTheEventStore() {
		RelayWorld events = new RelayWorld(this.world);
		for (int start = 1; start <= 2; start++) {
			try (AnnotationConfigApplicationContext application = start("relay",
					RelayWorld.application(events.options()))) {
				events.append(World.ACME, this.world.storedStream("a"), 3);
				long expected = 3L * start;
				await().until(() -> messages() == expected);
				isDeniedNothing(application);
			}
		}
	}

	/** It interrupts the handler. */
	private void awaitTheEndOfTheLease() {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void isDeniedNothing(AnnotationConfigApplicationContext application) {
		assertThat(application.getBean(NatsClient.class).lastViolation()).isNull();
	}

	private long messages() {
		return this.world
			.jetStream((management) -> management.getStreamInfo(this.world.stream()).getStreamState().getMsgCount());
	}

	private AnnotationConfigApplicationContext start(String user, WorldApplication application) {
		return this.world.start(application.natsAt(NatsUsers.url(this.server, user)));
	}

	/** The block of the page for this user. */
	private static String permissions(String user) {
		try {
			Matcher block = Pattern.compile("```text\\n# A " + user + "\\b[^\\n]*\\n(.*?)```", Pattern.DOTALL)
				.matcher(Files.readString(PAGE));
			assertThat(block.find()).as("permissions of a %s", user).isTrue();
			String text = block.group(1);
			Map<String, String> values = Map.of("<stream>", ROOT, "<durable>", DURABLE, "<subjects>", ROOT + ".>");
			for (Map.Entry<String, String> value : values.entrySet()) {
				text = text.replace(value.getKey(), value.getValue());
			}
			return text;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
