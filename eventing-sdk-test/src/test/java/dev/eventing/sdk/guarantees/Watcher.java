package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViews;

/** Follows a key, and keeps what it got. */
final class Watcher implements LiveViewListener, AutoCloseable {

	final List<LiveState> states = new CopyOnWriteArrayList<>();

	final List<LiveFrame> frames = new CopyOnWriteArrayList<>();

	final List<LiveViewStatus> statuses = new CopyOnWriteArrayList<>();

	private final String view;

	private final TenantId tenant;

	private final String key;

	private LiveViewSubscription subscription;

	private Watcher(String view, TenantId tenant, String key) {
		this.view = view;
		this.tenant = tenant;
		this.key = key;
	}

	static Watcher of(LiveViews views, TenantId tenant, String key) {
		return of(views, Balances.NAME, tenant, key);
	}

	static Watcher of(LiveViews views, String view, TenantId tenant, String key) {
		Watcher watcher = new Watcher(view, tenant, key);
		watcher.subscription = views.subscribe(tenant, view, key, watcher);
		return watcher;
	}

	@Override
	public void onState(LiveState state) {
		this.states.add(state);
	}

	@Override
	public void onFrame(LiveFrame frame) {
		this.frames.add(frame);
	}

	@Override
	public void onStatus(LiveViewStatus status) {
		this.statuses.add(status);
	}

	LiveViewStatus status() {
		return this.subscription.status();
	}

	boolean isLive() {
		return status() == LiveViewStatus.LIVE;
	}

	/** Whether it shows exactly what is stored. */
	boolean isCurrent(LiveViews views) {
		LiveState shown = this.subscription.state().orElse(null);
		return shown != null
				&& shown.equals(views.read(this.tenant, this.view, List.of(this.key)).states().get(this.key));
	}

	LiveVersion version() {
		return this.subscription.state().map(LiveState::version).orElse(new LiveVersion(0, 0));
	}

	Balances.Balance balance() {
		return this.subscription.state().orElseThrow().as(Balances.Balance.class);
	}

	@Override
	public void close() {
		this.subscription.close();
	}

}
