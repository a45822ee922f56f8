package dev.eventing.sdk.liveview;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.liveview.ledger.LiveStates.Changed;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.KeptPlans;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * PostgreSQL keeps plans that it made while the table of states was empty. They must not
 * read all states for each key once there are many.
 */
class LiveStatePlansIT {

	private static final String VIEW = "balances";

	private static final int STORED = 10_000;

	private static final int BATCH = 200;

	private static final String TABLE = "eventing.projection_snapshots";

	@AutoClose
	private final KeptPlans plans = new KeptPlans();

	private final JdbcTemplate jdbc = this.plans.jdbc();

	private final TransactionTemplate transactions = this.plans.transactions();

	private final LiveStates states = new LiveStates(this.jdbc, EventingSchema.defaults());

	/** Without statistics, and with those of a table that is known to be empty. */
	@ParameterizedTest
	@ValueSource(strings = { "select 1", "vacuum analyze eventing.projection_snapshots" })
	void readAndWriteByThePrimaryKeyAlsoIfTheTableWasEmptyWhenTheyWereMade(String before) {
		this.plans.neverAnalyze(TABLE);
		this.jdbc.execute(before);
		List<Address> some = IntStream.range(0, BATCH).mapToObj((each) -> address(each * 31)).toList();
		changed(some);
		this.jdbc.update("truncate eventing.projection_snapshots");
		this.jdbc.execute(before);
		changed(some.subList(0, 1));
		this.jdbc.update("delete from eventing.projection_snapshots");
		this.jdbc.update("insert into eventing.projection_snapshots"
				+ " (projection_name, generation, tenant_id, key, state, version)"
				+ " select ?, 1, 'acme', 'k' || i, '{}', 1 from generate_series(0, ?) i", VIEW, STORED);
		assertThat(changed(some)).isLessThan(5L * BATCH);
		assertThat(this.states.find(VIEW, some).states()).allSatisfy((each) -> {
			assertThat(each).isNotNull();
			assertThat(each.version()).isEqualTo(2);
		});
	}

	private static Address address(int number) {
		return new Address(TenantId.of("acme"), "k" + number);
	}

	/** Reads states and writes them, and returns how many rows were looked at. */
	private long changed(List<Address> addresses) {
		return this.plans.rowsRead(TABLE, () -> {
			List<LiveStates.Stored> found = this.states.find(VIEW, addresses).states();
			List<Changed> changes = IntStream.range(0, addresses.size()).mapToObj((each) -> {
				long version = (found.get(each) != null) ? found.get(each).version() : 0;
				return new Changed(addresses.get(each), "{\"n\":1}", version, version + 1);
			}).toList();
			assertThat(this.states.write(VIEW, 1, changes)).isTrue();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "on", "off" })
	void leaveTheCallersSettingsAsTheyWere(String before) {
		String after = this.transactions.execute((status) -> {
			this.jdbc.queryForObject("select set_config('enable_seqscan', ?, true)", String.class, before);
			changed(List.of(address(1), address(2)));
			return Objects
				.requireNonNull(this.jdbc.queryForObject("select current_setting('enable_seqscan')", String.class));
		});
		assertThat(after).isEqualTo(before);
		this.states.find(VIEW, List.of(address(1)));
		assertThat(this.jdbc.queryForObject("select current_setting('enable_seqscan')", String.class)).isEqualTo("on");
	}

	@Test
	void refuseAVersionThatIsNotTheStoredOne() {
		changed(List.of(address(1)));
		boolean stale = this.transactions.execute((status) -> {
			boolean written = this.states.write(VIEW, 1, List.of(new Changed(address(1), "{}", 7, 8)));
			status.setRollbackOnly();
			return written;
		});
		assertThat(stale).isFalse();
	}

}
