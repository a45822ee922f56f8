package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.jdbc.core.JdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The accounts of which events were published, and what a read model must show of them
 * that is fed from JetStream. The event store has none of them. Thread-safe.
 */
final class PublishedAccounts {

	/** The last version of each account. Each version adds as much to its total. */
	private final Map<String, Long> versions = new ConcurrentHashMap<>();

	void add(String account, long version) {
		this.versions.put(account, version);
	}

	/** The number of events. */
	long events() {
		return this.versions.values().stream().mapToLong(Long::longValue).sum();
	}

	void assertThatAllAreIn(JdbcOperations jdbc, String table) {
		this.versions
			.forEach((account,
					version) -> assertThat(jdbc.queryForList(
							"select * from " + table + " where account = ? and version = ? and total = ?", account,
							version, version * (version + 1) / 2))
						.as(table + " " + account)
						.hasSize(1));
	}

	/** Nor a claim or a consumer of a generation that is filled from the stream. */
	static void assertThatNoFillingIsLeft(World world, String projector) {
		await()
			.untilAsserted(() -> assertThat(world.count("select count(*) from eventing.projection_claims")).isZero());
		await().untilAsserted(() -> assertThat(world.consumers()).containsExactly(projector + "-consumer"));
	}

}
