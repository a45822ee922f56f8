package dev.eventing.benchmark.contender;

/** What many events do to the {@link ReadModel} in one statement. */
public final class SetBasedUpdate {

	/**
	 * Takes three arrays of the same length: accounts, amounts, numbers of changes. Each
	 * account's row is found by the primary key.
	 */
	public static final String SQL = """
			update account a
			   set balance = a.balance + d.amount, changes = a.changes + d.changes, last_change = d.last_change
			  from (select u.account, sum(u.amount) as amount, count(*) as changes, max(u.change) as last_change
			          from unnest(?::text[], ?::bigint[], ?::bigint[]) as u (account, amount, change)
			         group by u.account) d
			 where a.account = d.account""";

	/** The same where rows are not there from the start. */
	public static final String UPSERT = """
			insert into account as a (account, balance, changes, last_change)
			select u.account, sum(u.amount), count(*), max(u.change)
			  from unnest(?::text[], ?::bigint[], ?::bigint[]) as u (account, amount, change)
			 group by u.account
			on conflict (account) do update
			   set balance = a.balance + excluded.balance, changes = a.changes + excluded.changes,
			       last_change = excluded.last_change""";

	private SetBasedUpdate() {
	}

}
