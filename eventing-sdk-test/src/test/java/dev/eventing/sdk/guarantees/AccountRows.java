package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.event.TenantId;

import org.springframework.jdbc.core.JdbcTemplate;

/** The read model of a {@link World}: a row per account. */
final class AccountRows {

	private AccountRows() {
	}

	static void createTables(JdbcTemplate jdbc) {
		jdbc.execute(
				"""
						create table if not exists account (
						  tenant_id text, account text, version bigint not null, total bigint not null,
						  primary key (tenant_id, account));
						create table if not exists violations (tenant_id text, account text, expected bigint, version bigint)""");
	}

	/**
	 * Adds an event to the read model, and records it as a violation if it is not the
	 * next of its account. The first of an account has version 1: if those before are
	 * lost, the row is a new one.
	 */
	static void apply(JdbcTemplate jdbc, Deposited event, String tenant) {
		List<Boolean> inserted = jdbc.queryForList("""
				insert into account as a (tenant_id, account, version, total) values (?, ?, ?, ?)
				on conflict (tenant_id, account) do update
				   set version = excluded.version, total = a.total + excluded.total
				 where a.version = excluded.version - 1
				returning xmax = 0""", Boolean.class, tenant, event.account(), event.version(), event.amount());
		boolean next = inserted.stream().anyMatch((first) -> !first || event.version() == 1);
		if (!next) {
			jdbc.update("""
					insert into violations values (?, ?,
					  (select version from account where tenant_id = ? and account = ?), ?)""", tenant, event.account(),
					tenant, event.account(), event.version());
		}
	}

	/** The version it has seen of an account, 0 for none. */
	static long version(JdbcTemplate jdbc, TenantId tenant, String account) {
		return jdbc
			.queryForList("select version from account where tenant_id = ? and account = ?", Long.class, tenant.value(),
					account)
			.stream()
			.findFirst()
			.orElse(0L);
	}

}
