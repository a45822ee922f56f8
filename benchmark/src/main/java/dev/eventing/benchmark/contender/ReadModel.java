package dev.eventing.benchmark.contender;

/**
 * The read model all contenders keep: a row per account. For projectors all rows are
 * there from the start, for rebuilds none. After a round every row is compared with what
 * it should be.
 */
public final class ReadModel {

	/**
	 * What each event does. Contenders that take many events in one statement leave the
	 * same behind: the sum of the amounts, the number of the events, the last change.
	 * Served by the primary key; the fill factor leaves room for updates in place.
	 */
	public static final String UPDATE = """
			update account set balance = balance + ?, changes = changes + 1, last_change = ?
			 where account = ?""";

	/**
	 * The same where rows are not there from the start: a read model that is built again
	 * is empty. Takes the account, the amount and the number of the change.
	 */
	public static final String UPSERT = """
			insert into account as a (account, balance, changes, last_change) values (?, ?, 1, ?)
			on conflict (account) do update
			   set balance = a.balance + excluded.balance, changes = a.changes + 1, last_change = excluded.last_change""";

	/** Creates the table. */
	public static final String CREATE = """
			create table account (
			  account     text   primary key,
			  balance     bigint not null default 0,
			  changes     bigint not null default 0,
			  last_change bigint not null default 0
			) with (fillfactor = 50)""";

	/** Adds the rows; takes the number of accounts. */
	public static final String FILL = """
			insert into account (account)
			select 'account-' || lpad(number::text, 5, '0') from generate_series(0, %d - 1) as number""";

	private ReadModel() {
	}

}
