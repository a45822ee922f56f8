package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.awaitility.Awaitility;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/** A projector that reads JetStream and is rebuilt, whose handler tests can let fail. */
@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
class StreamAccounts {

	final Set<String> refused = ConcurrentHashMap.newKeySet();

	/** Refused where the transaction meets the tables of another generation. */
	final Set<String> refusedBeside = ConcurrentHashMap.newKeySet();

	final Set<String> unavailable = ConcurrentHashMap.newKeySet();

	/** Events of these accounts wait. */
	final Map<String, CountDownLatch> waits = new ConcurrentHashMap<>();

	/** Later versions wait where the transaction meets another generation's tables. */
	volatile long besideUpTo = Long.MAX_VALUE;

	/** Later versions wait where the transaction meets the tables that readers see. */
	volatile long liveUpTo = Long.MAX_VALUE;

	/** Whether each event takes a while in another generation. */
	volatile boolean slowBeside;

	@Autowired
	private JdbcTemplate jdbc;

	@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3, maxDeliver = 1000, retryDelay = 50,
			retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
	public void on(Deposited event, UUID eventId, String tenantId) {
		boolean isBeside = !"public".equals(this.jdbc.queryForObject("select current_schema()", String.class));
		CountDownLatch wait = this.waits.get(event.account());
		if (wait != null) {
			Awaitility.await().until(() -> wait.getCount() == 0);
		}
		if (this.refused.contains(event.account()) || (isBeside && this.refusedBeside.contains(event.account()))) {
			throw new IllegalArgumentException("refused by the test");
		}
		if (this.unavailable.contains(event.account())
				|| event.version() > (isBeside ? this.besideUpTo : this.liveUpTo)) {
			throw new IllegalStateException("not available");
		}
		if (isBeside && this.slowBeside) {
			this.jdbc.execute("select pg_sleep(0.01)");
		}
		World.apply(this.jdbc, event, tenantId);
	}

}
