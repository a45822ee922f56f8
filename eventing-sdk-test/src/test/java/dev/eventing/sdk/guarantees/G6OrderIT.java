package dev.eventing.sdk.guarantees;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6 within one node: events of one key are applied in stream order, also across retries
 * and lanes; later events of a failed key wait, other keys continue.
 */
class G6OrderIT {

	private static final ProjectorSettings FOUR_LANES = ProjectorSettings.builder()
		.maxDeliver(100)
		.batchSize(20)
		.concurrency(4)
		.build();

	@AutoClose
	private final World world = World.create();

	@Test
	void holdsLaterEventsOfAFailedKeyWhileOthersGoOn() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("a") && event.version() == 3 && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(FOUR_LANES))) {
			this.world.publish(World.ACME, "a", 1, 10);
			for (int other = 0; other < 50; other++) {
				this.world.publish(World.ACME, "b" + other, 1, 2);
			}
			await().until(() -> this.world.count("select count(*) from account where version = 2") >= 51);
			await().until(() -> accounts.calledVersions("a").stream().filter((version) -> version == 3).count() >= 3);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(2);
			await().untilAsserted(
					() -> assertThat(World.status(application, Accounts.PROJECTOR).waitingForRetry()).isBetween(7, 8));
			broken.set(false);
			await().until(() -> this.world.version(World.ACME, "a") == 10);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		}
	}

	@Test
	void keepsOrderPerKeyWhenHandlersFailNowAndThen() {
		ConcurrentHashMap<Deposited, AtomicInteger> failures = new ConcurrentHashMap<>();
		Accounts accounts = new Accounts((event) -> {
			boolean fails = Math.floorMod(event.hashCode(), 13) == 0;
			if (fails && failures.computeIfAbsent(event, (key) -> new AtomicInteger()).incrementAndGet() <= 2) {
				throw new Accounts.Refused();
			}
		});
		for (long version = 1; version <= 20; version++) {
			for (int account = 0; account < 30; account++) {
				this.world.publish(this.world.deposit(World.ACME, "a" + account, version));
			}
		}
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(FOUR_LANES))) {
			await().until(() -> this.world.count("select count(*) from account where version = 20") == 30);
			assertThat(failures).isNotEmpty();
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(this.world.count("select sum(total) from account")).isEqualTo(30 * 210);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isZero();
		}
	}

	@Test
	void keepsOrderByTheKeyTheProjectorNames() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.version() == 1 && event.account().equals("a") && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings byAccount = ProjectorSettings.builder()
			.maxDeliver(100)
			.batchSize(20)
			.concurrency(4)
			.key("payload.account")
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(byAccount))) {
			for (long version = 1; version <= 10; version++) {
				this.world.publish(Event.builder(World.ACME, new Deposited("a", version, version))
					.streamId("stream-" + version)
					.build());
				this.world.publish(this.world.deposit(World.ACME, "b", version));
			}
			await().until(() -> this.world.version(World.ACME, "b") == 10);
			await().until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() == 10);
			assertThat(accounts.calledVersions("a")).containsOnly(1L);
			broken.set(false);
			await().until(() -> this.world.version(World.ACME, "a") == 10);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	@Test
	void keepsAnEventWhoseKeyCannotBeTold() {
		// No start can know how long the text is.
		ProjectorSettings wrong = ProjectorSettings.builder().key("payload.account.bytes[9]").build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(wrong))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.satisfies((letter) -> assertThat(letter.failure().message()).contains("payload.account.bytes[9]"));
		}
	}

}
