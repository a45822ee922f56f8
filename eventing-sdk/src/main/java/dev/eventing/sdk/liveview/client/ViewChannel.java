package dev.eventing.sdk.liveview.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.frame.FrameForm;
import dev.eventing.sdk.liveview.frame.FrameForm.Beat;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.nats.Broadcast;
import dev.eventing.sdk.nats.Broadcasts;
import org.jspecify.annotations.Nullable;

/**
 * One view as this node follows it: one subscription of core NATS for all tenants and
 * keys, and the followers of each key. Messages come on a thread of the client, and
 * {@link #tick} on one of the node.
 */
final class ViewChannel {

	/**
	 * After this time without a beat, the owner is not heard any more. A beat comes once
	 * a second.
	 */
	private static final long SILENCE = Duration.ofMillis(2500).toNanos();

	/** How often states are read while the owner is not heard. */
	private static final long READ_EVERY = Duration.ofMillis(3500).toNanos();

	/** While messages are dropped, states are read as often. */
	private static final long READ_AFTER_DROPS = Duration.ofSeconds(1).toNanos();

	/** Many follow a view: not all of them read at once. */
	private static final long SPREAD_MILLIS = 500;

	private final String view;

	private final Broadcasts nats;

	private final Broadcasts.Receiver receiver;

	private final Map<String, Set<Follower>> followers = new ConcurrentHashMap<>();

	private long generation = -1;

	/** How many messages of the connection were dropped when states were read for it. */
	private long dropped;

	private long droppedAt = System.nanoTime() - READ_AFTER_DROPS;

	private volatile @Nullable Beat last;

	private volatile long heardAt;

	private volatile boolean heard;

	ViewChannel(String view, Broadcasts nats) {
		this.view = view;
		this.nats = nats;
		this.heardAt = System.nanoTime();
		this.receiver = nats.receive(List.of(FrameSubjects.ofAll(view), FrameSubjects.owner(view)), this::message);
	}

	String view() {
		return this.view;
	}

	void add(Follower follower) {
		this.followers.compute(subject(follower.address()), (subject, present) -> {
			Set<Follower> all = (present != null) ? present : new CopyOnWriteArraySet<>();
			all.add(follower);
			return all;
		});
		follower.heard(this.heard);
	}

	/**
	 * Removes a follower.
	 * @return whether none is left
	 */
	boolean remove(Follower follower) {
		this.followers.computeIfPresent(subject(follower.address()), (subject, present) -> {
			present.remove(follower);
			return present.isEmpty() ? null : present;
		});
		return this.followers.isEmpty();
	}

	private String subject(Address address) {
		return FrameSubjects.of(address.tenant(), this.view, address.key());
	}

	private void message(Broadcast message) {
		if (FrameSubjects.isOwner(message.subject())) {
			Beat beat = Beat.read(message);
			if (beat != null) {
				heard(beat);
			}
			return;
		}
		Set<Follower> interested = this.followers.get(message.subject());
		LiveFrame frame = (interested != null) ? FrameForm.read(message) : null;
		if (interested != null && frame != null) {
			interested.forEach((follower) -> follower.frame(frame));
		}
	}

	private void heard(Beat beat) {
		boolean first = this.last == null;
		// Earlier frames, of this owner or another one, may be lost.
		boolean lost = !first && (!this.heard || !beat.equals(this.last));
		this.last = beat;
		this.heardAt = System.nanoTime();
		this.heard = true;
		if (first || lost) {
			read(lost);
		}
		// With each beat, because a follower may have learned of the silence a moment
		// later.
		each((follower) -> follower.heard(true));
	}

	/**
	 * All states are to be read.
	 * @param lost whether frames may be lost, so that the states are stale until then
	 */
	private void read(boolean lost) {
		each(lost ? (follower) -> follower.readBecauseOfLoss(SPREAD_MILLIS)
				: (follower) -> follower.readWithin(0, SPREAD_MILLIS));
	}

	/** Call it several times a second. */
	void tick() {
		boolean connected = this.receiver.ensure();
		long present = this.nats.generation();
		if (connected && present != this.generation) {
			boolean lost = this.generation != -1;
			this.generation = present;
			read(lost);
		}
		lookForDrops();
		if (System.nanoTime() - this.heardAt > SILENCE) {
			if (this.heard) {
				this.heard = false;
				each((follower) -> follower.readWithin(0, SPREAD_MILLIS));
			}
			each((follower) -> {
				follower.heard(false);
				follower.readIfOlderThan(READ_EVERY);
			});
		}
	}

	/**
	 * Nothing else tells of messages that the client has dropped. The last frame of a key
	 * and both digests of it may be among them. The count begins again with each
	 * connection.
	 */
	private void lookForDrops() {
		long count = this.receiver.dropped();
		if (count < this.dropped) {
			this.dropped = 0;
		}
		long now = System.nanoTime();
		if (count > this.dropped && now - this.droppedAt >= READ_AFTER_DROPS) {
			this.dropped = count;
			this.droppedAt = now;
			read(true);
		}
	}

	/** The followers whose states are to be read now, at most this many. */
	List<Follower> due(int most) {
		long now = System.nanoTime();
		List<Follower> due = new ArrayList<>();
		for (Set<Follower> all : this.followers.values()) {
			for (Follower follower : all) {
				if (due.size() < most && follower.takeDue(now)) {
					due.add(follower);
				}
			}
		}
		return due;
	}

	private void each(Consumer<Follower> action) {
		this.followers.values().forEach((all) -> all.forEach(action));
	}

	/** Ends the subscription, and that of all followers. */
	void close() {
		this.receiver.close();
		each(Follower::close);
	}

}
