package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10: wherever in a rebuild the process dies, the read model ends as if nothing had
 * happened. The projector reads JetStream, and events are published meanwhile.
 */
@Tag("bulk")
class G10KilledStreamRebuildIT extends KilledRebuildSetup {

	/** The last version of each account. */
	private final Map<String, Long> published = new ConcurrentHashMap<>();

	G10KilledStreamRebuildIT() {
		super(Accounts.class);
	}

	@Test
	void endsAsIfNothingHadHappenedHoweverOftenItsProcessIsKilled() throws Exception {
		rebuildWhileItsProcessIsKilled();
		await().untilAsserted(
				() -> assertThat(this.world.count("select count(*) from eventing.projection_claims")).isZero());
		await().untilAsserted(() -> assertThat(this.world.consumers()).containsExactly(PROJECTOR + "-consumer"));
	}

	/** An event for each account of the writer. */
	@Override
	void append(int writer, int version, double pause) {
		for (int account = 0; account < ACCOUNTS; account++) {
			String name = "w" + writer + "-" + account;
			this.world.publish(World.ACME, name, version + 1, version + 1);
			this.published.put(name, version + 1L);
		}
		passTime(Math.round(pause * 1000));
	}

	@Override
	long events() {
		return this.published.values().stream().mapToLong(Long::longValue).sum();
	}

	@Override
	boolean isAtHead() {
		return this.world.hasSettledAll(PROJECTOR);
	}

	@Override
	void assertThatAllEventsAreIn() {
		this.published.forEach((account,
				version) -> assertThat(this.world.jdbc()
					.queryForList("select * from account where account = ? and version = ? and total = ?", account,
							version, version * (version + 1) / 2))
					.as(account)
					.hasSize(1));
	}

	/** The read model. */
	@Projector(value = PROJECTOR, tables = "account")
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3, batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
