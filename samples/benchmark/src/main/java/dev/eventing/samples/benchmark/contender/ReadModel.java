package dev.eventing.samples.benchmark.contender;

/**
 * The read model all projector contenders keep: a row per account, all there from the
 * start. After a round every row is compared with what it should be.
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
