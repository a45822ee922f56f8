package dev.eventing.sdk.liveview.client;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** When a subscription is live, and when it is stale. */
class FollowerTests {

	private static final Address ADDRESS = new Address(TenantId.of("acme"), "k");

	private static final LiveState STATE = new LiveState("k", new LiveVersion(1, 1), null, null, EventJson.mapper());

	private final ListenerThreads threads = new ListenerThreads("eventing-test-listener-");

	private final Follower follower = new Follower(ADDRESS, new ListenerCalls(ADDRESS, (state) -> {
	}, this.threads), EventJson.mapper(), (ended) -> {
	});

	@BeforeEach
	void isLive() {
		this.follower.heard(true);
		beginRead();
		this.follower.read(STATE);
		awaitStatus(LiveViewStatus.LIVE);
	}

	@AfterEach
	void end() {
		this.threads.close();
	}

	@Test
	void isStaleAfterALossUntilItWasRead() {
		this.follower.readBecauseOfLoss(0);
		awaitStatus(LiveViewStatus.STALE);
		this.follower.heard(true);
		beginRead();
		this.follower.notRead();
		this.follower.heard(true);
		this.follower.readWithin(0, 0);
		beginRead();
		assertThat(this.follower.status()).isEqualTo(LiveViewStatus.STALE);
		this.follower.read(STATE);
		awaitStatus(LiveViewStatus.LIVE);
	}

	/** What it answers may be from before. */
	@Test
	void isStaleThoughAReadEndsThatBeganBeforeTheLoss() {
		this.follower.readWithin(0, 0);
		beginRead();
		this.follower.readBecauseOfLoss(0);
		this.follower.read(STATE);
		this.follower.heard(false);
		this.follower.heard(true);
		awaitStatus(LiveViewStatus.STALE);
		beginRead();
		assertThat(this.follower.status()).isEqualTo(LiveViewStatus.STALE);
		this.follower.read(STATE);
		awaitStatus(LiveViewStatus.LIVE);
	}

	private void beginRead() {
		await().until(() -> this.follower.takeDue(System.nanoTime()));
	}

	private void awaitStatus(LiveViewStatus status) {
		await().until(this.follower::status, status::equals);
	}

}
