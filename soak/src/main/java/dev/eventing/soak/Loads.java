package dev.eventing.soak;

import java.util.Map;
import java.util.concurrent.Future;

import dev.eventing.soak.node.Moved;

/** The load: events that are appended, and events that are published beside them. */
final class Loads {

	private static final int ACCOUNTS = 24;

	private final Load appending;

	private final Load publishing;

	/** Begins: three of four events are appended. */
	Loads(Sender sender, int perSecond, long seed) {
		int published = Math.max(1, perSecond / 4);
		this.appending = new Load(sender.appending(), "account", ACCOUNTS, Math.max(1, perSecond - published), seed);
		this.publishing = new Load(sender.publishing(), "told", ACCOUNTS, published, seed + 1);
	}

	long appended() {
		return this.appending.sent();
	}

	long published() {
		return this.publishing.sent();
	}

	/** Has an event be appended that fails in no projector. */
	Future<Moved> appendFresh() {
		return this.appending.fresh();
	}

	/** Has an event be published that fails in no projector. */
	Future<Moved> publishFresh() {
		return this.publishing.fresh();
	}

	/** Once stopped. */
	Map<String, Long> appendedVersions() {
		return this.appending.versions();
	}

	/** Once stopped. */
	Map<String, Long> publishedVersions() {
		return this.publishing.versions();
	}

	/** Waits until the fate of the last events is known. */
	void stop() throws InterruptedException {
		this.appending.stop();
		this.publishing.stop();
	}

}
