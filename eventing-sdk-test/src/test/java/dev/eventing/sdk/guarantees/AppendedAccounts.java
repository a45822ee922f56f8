package dev.eventing.sdk.guarantees;

import org.springframework.jdbc.core.JdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The accounts that a read model must show, by the events in the event store.
 */
final class AppendedAccounts {

	private AppendedAccounts() {
	}

	static void assertThatAllAreIn(JdbcOperations jdbc, String table) {
		assertThat(jdbc.queryForList("""
				with expected as (
				  select payload->>'account' as account, max((payload->>'version')::bigint) as version,
				         sum((payload->>'amount')::bigint) as total
				    from eventing.events where event_type = 'Deposited' group by 1)
				select * from expected e full join %s a on a.account = e.account
				 where a.version is distinct from e.version or a.total is distinct from e.total""".formatted(table)))
			.as(table)
			.isEmpty();
	}

}
