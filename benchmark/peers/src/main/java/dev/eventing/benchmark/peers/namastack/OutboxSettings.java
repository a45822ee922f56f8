package dev.eventing.benchmark.peers.namastack;

import java.util.HashMap;
import java.util.Map;

import dev.eventing.benchmark.contender.RelayRound;

/**
 * The tuned settings.
 *
 * @param properties of the application
 */
record OutboxSettings(Map<String, String> properties) {

	/** Room for each of the tuned threads; they would wait for each other otherwise. */
	private static final int CONNECTIONS = 32;

	private static final String BATCH_SIZE = "namastack.outbox.polling.batch-size";

	private static final String INTERVAL = "namastack.outbox.polling.fixed.interval";

	/**
	 * The profile for platform threads among the documentation's recommended starting
	 * points. Its other one takes virtual threads, which need a later JDK than the
	 * benchmark does.
	 */
	static OutboxSettings manyThreads() {
		return new OutboxSettings(
				Map.of(BATCH_SIZE, "1000", INTERVAL, "25ms", "namastack.outbox.processing.executor-core-pool-size",
						"16", "namastack.outbox.processing.executor-max-pool-size", "32",
						"namastack.outbox.instance.heartbeat-interval", "1s",
						"namastack.outbox.instance.stale-instance-timeout", "10s",
						"namastack.outbox.instance.rebalance-interval", "1s"));
	}

	/**
	 * The less aggressive profile the documentation names beside it, with the starter's
	 * own pool of four threads. All defaults would be ten keys every two seconds.
	 */
	static OutboxSettings defaultThreads() {
		return new OutboxSettings(Map.of(BATCH_SIZE, "800", INTERVAL, "100ms"));
	}

	Map<String, Object> ofRound(RelayRound round) {
		Map<String, Object> all = new HashMap<>(this.properties);
		all.put("spring.datasource.url", round.jdbcUrl());
		all.put("spring.datasource.hikari.maximum-pool-size", Math.max(CONNECTIONS, round.poolSize()));
		all.put("spring.jmx.enabled", "false");
		all.put("benchmark.nats-url", round.natsUrl());
		return all;
	}

}
