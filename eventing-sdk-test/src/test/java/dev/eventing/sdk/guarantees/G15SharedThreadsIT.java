package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.eventing.sdk.liveview.InvalidLiveKeyException;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * G15: all subscriptions of a node share threads and statements. What is wrong with one
 * of them stops no other.
 */
class G15SharedThreadsIT {

	private static final String NO_KEY = "no\0key";

	@AutoClose
	private final World world = World.create();

	private final AnnotationConfigApplicationContext application = this.world
		.start(WorldApplication.of(new Balances()).lease(Duration.ofSeconds(2)));

	private final LiveViews views = this.application.getBean(LiveViews.class);

	@Test
	void aKeyThatNoStateCanHaveStopsNoOther() {
		try (this.application) {
			Throwable refused = catchThrowable(() -> Watcher.of(this.views, World.ACME, NO_KEY));
			followsAnother();
			assertThat(refused).isInstanceOf(InvalidLiveKeyException.class);
			assertThatExceptionOfType(InvalidLiveKeyException.class)
				.isThrownBy(() -> this.views.read(World.ACME, Balances.NAME, NO_KEY));
		}
	}

	@Test
	void aNameThatNoViewCanHaveStopsNoOther() {
		List<String> refusals = new ArrayList<>();
		try (this.application) {
			for (int each = 0; each < 20; each++) {
				String name = "no view " + each;
				Throwable refused = catchThrowable(() -> this.views.subscribe(World.ACME, name, "a", (state) -> {
				}));
				refusals.add(String.valueOf(refused));
			}
			followsAnother();
			assertThat(refusals)
				.allSatisfy((refused) -> assertThat(refused).startsWith(InvalidLiveViewException.class.getName()));
		}
	}

	@Test
	void aStateThatCannotBeReadStopsNoOther() {
		try (this.application) {
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.views.read(World.ACME, Balances.NAME, "b").isPresent());
			this.world.jdbc()
				.update("update eventing.projection_snapshots set state = "
						+ "jsonb_build_object('total', ('1' || repeat('0', 2000))::numeric) where key = 'b'");
			try (Watcher broken = Watcher.of(this.views, World.ACME, "b")) {
				followsAnother();
				assertThat(broken.isLive()).isFalse();
				this.world.jdbc()
					.update("update eventing.projection_snapshots set state = '{\"total\":1}' where key = 'b'");
				await().until(() -> broken.isCurrent(this.views) && broken.isLive());
			}
		}
	}

	@Test
	void aListenerThatThrowsAnErrorStopsNoOther() {
		try (this.application;
				LiveViewSubscription failing = this.views.subscribe(World.ACME, Balances.NAME, "b", (state) -> {
					throw new AssertionError("an error of the test");
				})) {
			await().until(() -> failing.state().isPresent());
			this.world.publish(World.ACME, "b", 1, 2);
			await().until(() -> failing.state().orElseThrow().version().version() == 2);
			followsAnother();
		}
	}

	@Test
	void listenersThatDoNotReturnStopNoOther() {
		CountDownLatch released = new CountDownLatch(1);
		AtomicInteger held = new AtomicInteger();
		List<LiveViewSubscription> holding = new ArrayList<>();
		try (this.application) {
			for (int each = 0; each < 10; each++) {
				holding.add(this.views.subscribe(World.ACME, Balances.NAME, "b", (state) -> {
					held.incrementAndGet();
					await().forever().until(() -> released.getCount() == 0);
				}));
			}
			await().until(() -> held.get() == 10);
			this.world.publish(World.ACME, "b", 1, 400);
			followsAnother();
			assertThat(held).hasValue(10);
			released.countDown();
			await().until(() -> holding.stream()
				.allMatch((each) -> each.state().filter((state) -> state.version().version() == 400).isPresent()));
			holding.forEach(LiveViewSubscription::close);
		}
		finally {
			released.countDown();
		}
	}

	@Test
	void manyViewsAreReceivedByFewThreads() {
		List<LiveViewSubscription> many = new ArrayList<>();
		try (this.application) {
			long before = receiving();
			for (int each = 0; each < 40; each++) {
				many.add(this.views.subscribe(World.ACME, "view-" + each, "a", (state) -> {
				}));
			}
			await().until(() -> many.stream().allMatch((each) -> each.state().isPresent()));
			assertThat(receiving() - before).isBetween(1L, 4L);
			many.forEach(LiveViewSubscription::close);
			followsAnother();
		}
	}

	private static long receiving() {
		return Thread.getAllStackTraces()
			.values()
			.stream()
			.filter((stack) -> Stream.of(stack).anyMatch((frame) -> frame.getClassName().endsWith(".NatsDispatcher")))
			.count();
	}

	@Test
	void nothingIsFollowedAfterTheEnd() {
		this.application.close();
		List<LiveState> got = new CopyOnWriteArrayList<>();
		LiveViewSubscription late = this.views.subscribe(World.ACME, Balances.NAME, "a", got::add);
		assertThat(late.status()).isEqualTo(LiveViewStatus.CLOSED);
		assertThat(late.state()).isEmpty();
		assertThat(got).isEmpty();
		late.close();
	}

	/** By frames, and not only by reads. */
	private void followsAnother() {
		try (Watcher watcher = Watcher.of(this.views, World.ACME, "a")) {
			await().atMost(Duration.ofSeconds(20)).until(watcher::isLive);
			this.world.publish(World.ACME, "a", 1, 3);
			await().atMost(Duration.ofSeconds(20)).until(() -> watcher.version().version() == 3);
			assertThat(watcher.isCurrent(this.views)).isTrue();
			assertThat(watcher.frames).isNotEmpty();
		}
	}

	@Test
	void aStateThatWasDeletedNeverHasAVersionAgain() {
		try (this.application; Watcher watcher = Watcher.of(this.views, World.ACME, "a")) {
			await().until(watcher::isLive);
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> watcher.version().version() == 2);
			// Until the owner has sent this version twice, and no node reads it any more.
			await().during(Duration.ofSeconds(4)).until(() -> watcher.version().version() == 2);
			this.views.rebuild(World.ACME, Balances.NAME, "a", List.of());
			this.views.apply(Balances.NAME, this.world.deposit(World.ACME, "a", 7));
			this.views.apply(Balances.NAME, this.world.deposit(World.ACME, "a", 8));
			await().during(Duration.ofSeconds(1))
				.atMost(Duration.ofSeconds(6))
				.until(() -> watcher.isCurrent(this.views) && watcher.balance().total() == 15);
		}
	}

}
