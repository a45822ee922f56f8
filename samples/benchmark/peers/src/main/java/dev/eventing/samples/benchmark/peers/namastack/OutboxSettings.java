package dev.eventing.samples.benchmark.peers.namastack;

import java.util.HashMap;
import java.util.Map;

import dev.eventing.samples.benchmark.contender.RelayRound;

/**
 * What can be tuned.
 *
 * @param properties of the application
 */
record OutboxSettings(Map<String, String> properties) {

	/** Room for each of the tuned threads; they would wait for each other otherwise. */
	private static final int CONNECTIONS = 32;

	/** What the starter does when told nothing: ten keys every two seconds. */
	static OutboxSettings defaults() {
		return new OutboxSettings(Map.of());
	}

	/**
	 * The documentation's profile for platform threads ("Performance Tuning", recommended
	 * starting points). Its other one takes virtual threads, which need a later JDK than
	 * the benchmark does.
	 */
	static OutboxSettings tuned() {
		return new OutboxSettings(Map.of("namastack.outbox.polling.trigger", "fixed",
				"namastack.outbox.polling.batch-size", "1000", "namastack.outbox.polling.fixed.interval", "25ms",
				"namastack.outbox.processing.executor-core-pool-size", "16",
				"namastack.outbox.processing.executor-max-pool-size", "32",
				"namastack.outbox.instance.heartbeat-interval", "1s",
				"namastack.outbox.instance.stale-instance-timeout", "10s",
				"namastack.outbox.instance.rebalance-interval", "1s"));
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
