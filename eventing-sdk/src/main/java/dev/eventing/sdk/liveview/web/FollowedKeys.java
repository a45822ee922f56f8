package dev.eventing.sdk.liveview.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import org.jspecify.annotations.Nullable;

/**
 * The keys that connections of this node follow: one subscription each, however many
 * connections. A key that has no connection left is followed for some time, so that a
 * client which connects again can resume. Thread-safe.
 */
final class FollowedKeys {

	/** Longer than browsers wait until they connect again. */
	private static final Duration LINGER = Duration.ofSeconds(30);

	private final KeySubscriptions subscriptions;

	private final LiveViewWebOptions options;

	private final Map<KeyName, Entry> entries = new HashMap<>();

	FollowedKeys(KeySubscriptions subscriptions, LiveViewWebOptions options) {
		this.subscriptions = subscriptions;
		this.options = options;
	}

	/**
	 * Follows a key for a connection.
	 * @return null if too many keys are followed
	 */
	synchronized @Nullable FollowedKey follow(KeyName name, FollowedKey.Follower follower) {
		Entry entry = this.entries.get(name);
		if (entry == null) {
			if (this.entries.size() >= this.options.maxKeys()) {
				sweep(Duration.ZERO);
			}
			if (this.entries.size() >= this.options.maxKeys()) {
				return null;
			}
			FollowedKey key = new FollowedKey(name, this.options.ringFrames());
			entry = new Entry(key, this.subscriptions.subscribe(name.tenant(), name.view(), name.key(), key));
			this.entries.put(name, entry);
		}
		entry.key.add(follower);
		return entry.key;
	}

	synchronized void leave(FollowedKey key, FollowedKey.Follower follower) {
		key.remove(follower);
		Entry entry = this.entries.get(key.name());
		if (entry != null && !key.isFollowed()) {
			entry.leftAt = System.nanoTime();
		}
	}

	/** The state that this node has of a key, or null if it does not follow it. */
	synchronized @Nullable LiveState state(KeyName name) {
		Entry entry = this.entries.get(name);
		return (entry != null) ? entry.key.state() : null;
	}

	/** How many keys are followed. */
	synchronized int size() {
		return this.entries.size();
	}

	/** Ends what no connection follows, once it has lingered. */
	void sweep() {
		sweep(LINGER);
	}

	private synchronized void sweep(Duration linger) {
		long now = System.nanoTime();
		for (Iterator<Entry> each = this.entries.values().iterator(); each.hasNext();) {
			Entry entry = each.next();
			if (!entry.key.isFollowed() && now - entry.leftAt >= linger.toNanos()) {
				each.remove();
				entry.subscription.close();
			}
		}
	}

	/** Ends all. */
	synchronized void close() {
		this.entries.values().forEach((entry) -> entry.subscription.close());
		this.entries.clear();
	}

	private static final class Entry {

		private final FollowedKey key;

		private final LiveViewSubscription subscription;

		private long leftAt = System.nanoTime();

		private Entry(FollowedKey key, LiveViewSubscription subscription) {
			this.key = key;
			this.subscription = subscription;
		}

	}

}
