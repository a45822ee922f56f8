package dev.eventing.sdk.guarantees;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A projector's events in memory are bounded in bytes, and a larger event passes. */
class InFlightBytesIT {

	private static final int BOUND = 100_000;

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void holdsNoMoreBytesThanAllowedWhileItsHandlerIsSlow(Source source) {
		int events = 40;
		for (int event = 1; event <= events; event++) {
			send(source, "a", event, 20_000);
		}
		holdsNoMoreBytesThanAllowed(source, events);
	}

	/** In the table each has some hundred bytes. */
	@Test
	void countsTheDigitsOfNumbersAsTheDatabasePrintsThem() {
		List<BigDecimal> digits = Collections.nCopies(23, new BigDecimal("1e900"));
		int events = 40;
		for (int event = 1; event <= events; event++) {
			send(Source.EVENT_STORE, new Bulky("a", event, digits));
		}
		assertThat(this.world.count("select max(pg_column_size(payload)) from eventing.events")).isLessThan(2_000);
		holdsNoMoreBytesThanAllowed(Source.EVENT_STORE, events);
	}

	/** Of events that have 20,000 bytes each. */
	private void holdsNoMoreBytesThanAllowed(Source source, int events) {
		Bulk bulk = new Bulk();
		try (AnnotationConfigApplicationContext application = start(bulk, source)) {
			await().until(() -> held(application) >= 4);
			Steady.holds(Duration.ofMillis(500), () -> held(application) <= BOUND / 20_000 + 1);
			bulk.permits.release(1000);
			await().until(() -> bulk.handled.size() == events);
			assertThat(bulk.handled).doesNotHaveDuplicates().isSorted();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void takesAnEventLargerThanAllowedAlone(Source source) {
		send(source, "a", 1, 20_000);
		send(source, "b", 2, 20_000);
		send(source, "large", 3, 3 * BOUND);
		send(source, "c", 4, 20_000);
		send(source, "large", 5, 3 * BOUND);
		Bulk bulk = new Bulk();
		bulk.permits.release(1000);
		try (AnnotationConfigApplicationContext application = start(bulk, source)) {
			await().until(() -> bulk.handled.size() == 5);
			assertThat(bulk.handled).containsExactly(1L, 2L, 3L, 4L, 5L);
			assertThat(World.status(application, Bulk.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void saysThatEventsBehindAFailedOneLeaveNoRoomAndGoesOnOnceItIsDecided(Source source) {
		Bulk bulk = new Bulk();
		bulk.permits.release(1000);
		bulk.broken.set(true);
		for (int event = 1; event <= 10; event++) {
			send(source, "broken", event, 20_000);
		}
		send(source, "other", 11, 20_000);
		try (AnnotationConfigApplicationContext application = start(bulk, source)) {
			await().untilAsserted(() -> assertThat(World.status(application, Bulk.PROJECTOR).detail())
				.contains("wait for retries", "'maxInFlightBytes' is " + BOUND));
			assertThat(bulk.handled).isEmpty();
			bulk.broken.set(false);
			await().until(() -> bulk.handled.size() == 11);
			await().untilAsserted(() -> assertThat(World.status(application, Bulk.PROJECTOR).detail())
				.doesNotContain("wait for retries"));
		}
	}

	@Test
	void goesOnWithOtherKeysWhileWhatWaitsLeavesRoom() {
		Bulk bulk = new Bulk();
		bulk.permits.release(1000);
		bulk.broken.set(true);
		for (int event = 1; event <= 3; event++) {
			send(Source.JETSTREAM, "broken", event, 20_000);
		}
		for (int event = 4; event <= 30; event++) {
			send(Source.JETSTREAM, "other", event, 30_000);
		}
		try (AnnotationConfigApplicationContext application = start(bulk, Source.JETSTREAM)) {
			await().until(() -> bulk.handled.size() == 27);
			await().untilAsserted(
					() -> assertThat(World.status(application, Bulk.PROJECTOR).waitingForRetry()).isBetween(2, 3));
		}
	}

	private AnnotationConfigApplicationContext start(Bulk bulk, Source source) {
		ProjectorSettings settings = ProjectorSettings.builder()
			.maxDeliver(1000)
			.batchSize(10)
			.concurrency(1)
			.retryDelay(Duration.ofMillis(50))
			.retryMultiplier(1.0)
			.source(source)
			.maxInFlightBytes((long) BOUND)
			.build();
		return this.world.start(WorldApplication.of(bulk).with(settings));
	}

	private static int held(AnnotationConfigApplicationContext application) {
		return World.status(application, Bulk.PROJECTOR).inFlight();
	}

	private void send(Source source, String account, long number, int bytes) {
		send(source, new Bulky(account, number, "x".repeat(bytes)));
	}

	private void send(Source source, Bulky bulky) {
		if (source == Source.JETSTREAM) {
			this.world.publish(Event.builder(World.ACME, bulky).streamId(bulky.account()).build());
		}
		else {
			this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(bulky.account()),
					ExpectedVersion.any(), NewEvent.of(bulky)));
		}
	}

	/**
	 * A large event.
	 *
	 * @param account its key
	 * @param number its place among all
	 * @param content what makes it large
	 */
	record Bulky(String account, long number, Object content) {
	}

	/** Each call needs a permit. */
	static class Bulk {

		static final String PROJECTOR = "bulk";

		final Semaphore permits = new Semaphore(0);

		final List<Long> handled = new CopyOnWriteArrayList<>();

		final AtomicBoolean broken = new AtomicBoolean();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR)
		public void on(Bulky event) throws InterruptedException {
			if (this.broken.get() && event.account().equals("broken")) {
				throw new Accounts.Refused();
			}
			assertThat(this.permits.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
			this.handled.add(event.number());
		}

	}

}
