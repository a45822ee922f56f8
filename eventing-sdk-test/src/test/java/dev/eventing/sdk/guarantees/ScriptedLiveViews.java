package dev.eventing.sdk.guarantees;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveSnapshot;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveStateNotFoundException;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViews;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Live views whose changes a test makes, at the moment that it needs. What is behind
 * {@link LiveViews} has tests of its own; here it is about what HTTP clients get.
 */
final class ScriptedLiveViews implements LiveViews {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final Map<List<String>, LiveState> states = new HashMap<>();

	private final Map<List<String>, List<LiveViewListener>> listeners = new HashMap<>();

	/** How often anything of a state was asked. */
	final AtomicInteger touched = new AtomicInteger();

	/** Writes a state, and pushes nothing but the state itself. */
	synchronized void become(String tenant, String view, String key, LiveVersion version, @Nullable String json) {
		List<String> name = List.of(tenant, view, key);
		LiveState state = state(key, version, json);
		this.states.put(name, state);
		of(name).forEach((listener) -> listener.onState(state));
	}

	/** Writes the next state, and pushes a patch. */
	synchronized void change(String tenant, String view, String key, String patch, String json) {
		List<String> name = List.of(tenant, view, key);
		LiveVersion before = now(name).version();
		LiveVersion after = new LiveVersion(before.liveEpoch(), before.version() + 1);
		LiveState state = state(key, after, json);
		this.states.put(name, state);
		of(name).forEach((listener) -> {
			listener.onFrame(new LiveFrame("delta", before.version(), after, false, patch));
			listener.onState(state);
		});
	}

	synchronized void status(String tenant, String view, String key, LiveViewStatus status) {
		of(List.of(tenant, view, key)).forEach((listener) -> listener.onStatus(status));
	}

	/** How many subscriptions a key has. */
	synchronized int subscriptions(String tenant, String view, String key) {
		return of(List.of(tenant, view, key)).size();
	}

	private List<LiveViewListener> of(List<String> name) {
		return this.listeners.computeIfAbsent(name, (none) -> new ArrayList<>());
	}

	private LiveState now(List<String> name) {
		return this.states.computeIfAbsent(name, (none) -> state(name.get(2), new LiveVersion(1, 0), null));
	}

	private static LiveState state(String key, LiveVersion version, @Nullable String json) {
		return new LiveState(key, version, (json != null) ? JSON.readTree(json) : null, null, JSON);
	}

	@Override
	public synchronized LiveSnapshot read(TenantId tenant, String view, Collection<String> keys) {
		this.touched.incrementAndGet();
		Map<String, LiveState> read = new HashMap<>();
		keys.forEach((key) -> read.put(key, now(List.of(tenant.value(), view, key))));
		return new LiveSnapshot(1, read);
	}

	@Override
	public synchronized LiveViewSubscription subscribe(TenantId tenant, String view, String key,
			LiveViewListener listener) {
		this.touched.incrementAndGet();
		List<String> name = List.of(tenant.value(), view, key);
		of(name).add(listener);
		listener.onState(now(name));
		listener.onStatus(LiveViewStatus.LIVE);
		return new LiveViewSubscription() {

			@Override
			public Optional<LiveState> state() {
				return Optional.empty();
			}

			@Override
			public LiveViewStatus status() {
				return LiveViewStatus.LIVE;
			}

			@Override
			public void close() {
				synchronized (ScriptedLiveViews.this) {
					of(name).remove(listener);
				}
			}

		};
	}

	@Override
	public Optional<LiveState> read(TenantId tenant, String view, String key) {
		return Optional.ofNullable(read(tenant, view, List.of(key)).states().get(key)).filter(LiveState::exists);
	}

	@Override
	public LiveState readRequired(TenantId tenant, String view, String key) {
		return read(tenant, view, key).orElseThrow(() -> new LiveStateNotFoundException(tenant, view, key));
	}

	@Override
	public List<String> keys(TenantId tenant, String view, @Nullable String after, int limit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void define(LiveViewDefinition<?> definition) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<String> names() {
		throw new UnsupportedOperationException();
	}

	@Override
	public String subject(TenantId tenant, String view, String key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LiveState> apply(String view, Event<?> event) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LiveState rebuild(TenantId tenant, String view, String key, Iterable<? extends Event<?>> events) {
		throw new UnsupportedOperationException();
	}

}
