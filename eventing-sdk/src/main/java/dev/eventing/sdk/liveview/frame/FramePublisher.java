package dev.eventing.sdk.liveview.frame;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.nats.Broadcast;
import dev.eventing.sdk.nats.Broadcasts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes frames after the commit. What it cannot push is counted: subscribers hear of it
 * and read their states again. Nothing here throws or waits, because the states are
 * committed. Thread-safe.
 */
public final class FramePublisher {

	private static final Logger logger = LoggerFactory.getLogger(FramePublisher.class);

	/** A frame's headers have fewer bytes. */
	private static final int HEADERS = 512;

	/** With {@link #DIGESTS} a second, all of them are sent in five seconds. */
	private static final int REMEMBERED = 40_000;

	private static final int DIGESTS = 10_000;

	private final Broadcasts nats;

	private final boolean pushes;

	private final Digests digests = new Digests(REMEMBERED);

	/** By view: how often frames may have been lost. */
	private final Map<String, AtomicLong> lost = new ConcurrentHashMap<>();

	/** How often frames of all views may have been lost. */
	private final AtomicLong lostOfAll = new AtomicLong();

	/**
	 * Opens no connection.
	 * @param pushes whether anything is pushed
	 */
	public FramePublisher(Broadcasts nats, boolean pushes) {
		this.nats = nats;
		this.pushes = pushes;
	}

	/** Whether anything is pushed. */
	public boolean pushes() {
		return this.pushes;
	}

	/**
	 * Pushes the frames of a key in their order. One that is too large is pushed without
	 * its state.
	 * @param version the version of the key after them
	 */
	public void publish(String view, TenantId tenant, String key, List<LiveFrame> frames, LiveVersion version) {
		if (!this.pushes) {
			return;
		}
		String subject = FrameSubjects.of(tenant, view, key);
		long most = this.nats.maxPayload() - HEADERS;
		boolean sent = true;
		for (LiveFrame frame : frames) {
			Broadcast message = FrameForm.write(subject, frame);
			if (message.body().length() > most) {
				message = FrameForm.write(subject,
						new LiveFrame(LiveFrame.REBUILD, frame.from(), frame.version(), false, null));
			}
			sent &= this.nats.publish(message);
		}
		if (!sent) {
			logger.debug("Frames of key '{}' of tenant '{}' in live view '{}' are not sent.", key, tenant, view);
		}
		if (!sent) {
			lost(view);
		}
		if (!this.digests.changed(subject, version, System.nanoTime())) {
			this.lostOfAll.incrementAndGet(); // keys of all views are forgotten
		}
	}

	/** Frames of a view may have been lost: all of its subscribers read their states. */
	public void lost(String view) {
		this.lost.computeIfAbsent(view, (name) -> new AtomicLong()).incrementAndGet();
	}

	/** Tells versions of keys that changed a moment ago. Call it about once a second. */
	public void tellVersions() {
		for (Digests.Due due : this.digests.due(System.nanoTime(), DIGESTS)) {
			this.nats.publish(FrameForm.digest(due.subject(), due.version()));
		}
	}

	/**
	 * Lets subscribers of a view hear that its owner lives.
	 * @param token what is new with each owner
	 */
	public void beat(String view, long liveEpoch, String token) {
		AtomicLong losses = this.lost.get(view);
		String owner = token + "." + this.nats.generation() + "."
				+ (((losses != null) ? losses.get() : 0) + this.lostOfAll.get());
		this.nats.publish(new FrameForm.Beat(liveEpoch, owner).message(view));
	}

}
