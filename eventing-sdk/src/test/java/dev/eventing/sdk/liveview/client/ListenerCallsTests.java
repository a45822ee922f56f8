package dev.eventing.sdk.liveview.client;

import java.time.Duration;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What listeners learn, and on which threads. */
class ListenerCallsTests {

	private static final Address ADDRESS = new Address(TenantId.of("acme"), "k");

	private final ListenerThreads threads = new ListenerThreads("eventing-test-listener-");

	private final CountDownLatch free = new CountDownLatch(1);

	@AfterEach
	void end() {
		this.free.countDown();
		this.threads.close();
	}

	private static LiveState state(long version) {
		return new LiveState("k", new LiveVersion(1, version), null, null, EventJson.mapper());
	}

	private static LiveFrame frame(long version) {
		return new LiveFrame("delta", version - 1, new LiveVersion(1, version), false, "{}");
	}

	private ListenerCalls calls(LiveViewListener listener) {
		return new ListenerCalls(ADDRESS, listener, this.threads);
	}

	@Test
	void comeInOrderAndEachStatusOnce() {
		Recording listener = new Recording();
		ListenerCalls calls = calls(listener);
		calls.state(List.of(), state(1));
		calls.status(LiveViewStatus.LIVE);
		calls.status(LiveViewStatus.LIVE);
		calls.state(List.of(frame(2)), state(2));
		calls.status(LiveViewStatus.STALE);
		await().until(() -> listener.got.contains("STALE"));
		calls.close();
		calls.state(List.of(), state(3));
		await().until(() -> listener.got.contains("CLOSED"));
		assertThat(listener.got).containsExactly("1", "LIVE", "frame 2", "2", "STALE", "CLOSED");
		assertThat(calls.status()).isEqualTo(LiveViewStatus.CLOSED);
	}

	/** Other languages of the JVM throw checked exceptions where Java may not. */
	@Test
	void goOnAfterACheckedException() {
		Recording listener = new Recording();
		ListenerCalls calls = calls(new LiveViewListener() {

			@Override
			public void onState(LiveState state) {
				if (state.version().version() == 1) {
					ListenerCallsTests.<RuntimeException>throwUnchecked(new IOException("a checked one"));
				}
				listener.onState(state);
			}

		});
		calls.state(List.of(), state(1));
		calls.state(List.of(), state(2));
		await().until(() -> listener.got.contains("2"));
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void throwUnchecked(Throwable thrown) throws T {
		throw (T) thrown;
	}

	@Test
	void ofASlowListenerEndWithTheLatestStateAndStatus() {
		Recording listener = new Recording();
		ListenerCalls calls = calls(new LiveViewListener() {

			@Override
			public void onState(LiveState state) {
				await().forever().until(() -> ListenerCallsTests.this.free.getCount() == 0);
				listener.onState(state);
			}

			@Override
			public void onStatus(LiveViewStatus status) {
				listener.onStatus(status);
			}

		});
		calls.state(List.of(), state(1));
		calls.status(LiveViewStatus.LIVE);
		for (long version = 2; version <= 10_000; version++) {
			calls.state(List.of(frame(version)), state(version));
		}
		this.free.countDown();
		await().until(() -> listener.got.contains("10000"));
		await().until(() -> calls.status() == LiveViewStatus.LIVE);
		assertThat(listener.got).hasSizeLessThanOrEqualTo(ListenerCalls.MOST + 3);
		assertThat(calls.state()).isEqualTo(state(10_000));
	}

	/** States are large: those that a slow listener need not see are not kept. */
	@Test
	void ofASlowListenerKeepFewStates() {
		ListenerCalls calls = calls((state) -> await().forever().until(() -> this.free.getCount() == 0));
		List<WeakReference<LiveState>> states = new ArrayList<>();
		for (long version = 1; version <= 100; version++) {
			calls.state(List.of(frame(version)), remembered(version, states));
		}
		await().until(() -> alive(states) <= 3);
		for (long version = 101; version <= 200; version++) {
			calls.state(List.of(frame(version)), remembered(version, states));
			calls.status((version % 2 == 0) ? LiveViewStatus.LIVE : LiveViewStatus.STALE);
		}
		await().until(() -> alive(states) <= 2 + ListenerCalls.MOST);
	}

	private static LiveState remembered(long version, List<WeakReference<LiveState>> states) {
		LiveState state = state(version);
		states.add(new WeakReference<>(state));
		return state;
	}

	private static long alive(List<WeakReference<LiveState>> states) {
		System.gc();
		return states.stream().filter((each) -> each.get() != null).count();
	}

	@Test
	void ofASlowListenerHaveTheFramesThatLeadToTheLatestState() {
		Recording listener = new Recording();
		ListenerCalls calls = held(listener);
		for (long version = 2; version <= 5; version++) {
			calls.state(List.of(frame(version)), state(version));
		}
		this.free.countDown();
		await().until(() -> listener.got.contains("5"));
		assertThat(listener.got).containsExactly("1", "frame 2", "frame 3", "frame 4", "frame 5", "5");
	}

	/** The listener never saw the state that the later frame joins. */
	@Test
	void ofASlowListenerHaveNoFramesAfterAStateThatWasReadAndNotShown() {
		Recording listener = new Recording();
		ListenerCalls calls = held(listener);
		calls.state(List.of(frame(2)), state(2));
		calls.state(List.of(), state(9));
		calls.state(List.of(frame(10)), state(10));
		this.free.countDown();
		await().until(() -> listener.got.contains("10"));
		assertThat(listener.got).containsExactly("1", "10");
	}

	@Test
	void ofASlowListenerHaveNoFramesThatAreLargeTogether() {
		Recording listener = new Recording();
		ListenerCalls calls = held(listener);
		String large = "\"" + "x".repeat(ListenerCalls.MOST_TEXT / 2) + "\"";
		for (long version = 2; version <= 3; version++) {
			LiveFrame frame = new LiveFrame("delta", version - 1, new LiveVersion(1, version), false, large);
			calls.state(List.of(frame), state(version));
		}
		this.free.countDown();
		await().until(() -> listener.got.contains("3"));
		assertThat(listener.got).containsExactly("1", "3");
	}

	/** The listener has the first state, and does not return. */
	private ListenerCalls held(Recording listener) {
		CountDownLatch entered = new CountDownLatch(1);
		ListenerCalls calls = calls(new LiveViewListener() {

			@Override
			public void onState(LiveState state) {
				entered.countDown();
				await().forever().until(() -> ListenerCallsTests.this.free.getCount() == 0);
				listener.onState(state);
			}

			@Override
			public void onFrame(LiveFrame frame) {
				listener.onFrame(frame);
			}

		});
		calls.state(List.of(), state(1));
		await().until(() -> entered.getCount() == 0);
		return calls;
	}

	@Test
	void ofOthersGoOnWhileSomeListenersHangWhichIsReported() {
		AtomicInteger held = new AtomicInteger();
		for (int each = 0; each < 20; each++) {
			calls((state) -> {
				held.incrementAndGet();
				await().forever().until(() -> this.free.getCount() == 0);
			}).state(List.of(), state(1));
		}
		Recording other = new Recording();
		calls(other).state(List.of(), state(1));
		await().until(() -> {
			this.threads.tick();
			return held.get() == 20 && other.got.contains("1");
		});
		await().until(() -> this.threads.stalls(Duration.ofMillis(1)).size() == 20);
		assertThat(this.threads.stalls(Duration.ofMinutes(1))).isEmpty();
		this.free.countDown();
		await().until(() -> this.threads.stalls(Duration.ZERO).isEmpty());
	}

	private static final class Recording implements LiveViewListener {

		private final List<String> got = new CopyOnWriteArrayList<>();

		@Override
		public void onState(LiveState state) {
			this.got.add(Long.toString(state.version().version()));
		}

		@Override
		public void onFrame(LiveFrame frame) {
			this.got.add("frame " + frame.version().version());
		}

		@Override
		public void onStatus(LiveViewStatus status) {
			this.got.add(status.name());
		}

	}

}
