package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.relay.RelayLag;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;

/**
 * A relay's lag, asked of the database now and then: two meters are read at each scrape,
 * and there may be several scrapers. Thread-safe.
 */
final class RecentLag {

	private static final long RECENT = TimeUnit.SECONDS.toNanos(10);

	private final Relays relays;

	private final String relay;

	private RelayLag lag = none();

	private long asked = System.nanoTime() - RECENT;

	RecentLag(Relays relays, String relay) {
		this.relays = relays;
		this.relay = relay;
	}

	private static RelayLag none() {
		return new RelayLag(0, 0, Duration.ZERO);
	}

	synchronized RelayLag now() {
		RelayStatus status = this.relays.status(this.relay);
		if (status.state() == RelayState.STANDBY || status.state() == RelayState.STOPPED) {
			return none();
		}
		long now = System.nanoTime();
		if (status.state() != RelayState.WAITING_FOR_DATABASE && now - this.asked >= RECENT) {
			this.asked = now;
			this.lag = this.relays.lag(this.relay);
		}
		return this.lag;
	}

}
