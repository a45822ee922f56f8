package dev.eventing.benchmark.contender;

/**
 * The state of an account in a live view: what a row of the {@link ReadModel} has.
 *
 * @param balance the sum of all amounts
 * @param changes how many changes there were
 * @param lastChange the number of the last one
 */
public record AccountState(long balance, long changes, long lastChange) {

	/** Before the first change. */
	public static final AccountState NONE = new AccountState(0, 0, 0);

	/** The state after a change. */
	public AccountState after(AccountChanged change) {
		return new AccountState(this.balance + change.amount(), this.changes + 1, change.change());
	}

	/**
	 * A table of states, such as {@link ReadModel} has it.
	 * @param table has the states as JSON
	 * @param account the column that has the account
	 */
	public static String rows(String table, String account) {
		return """
				(select %s as account, (state ->> 'balance')::bigint as balance, (state ->> 'changes')::bigint as changes,
				        (state ->> 'lastChange')::bigint as last_change
				   from %s) as states"""
			.formatted(account, table);
	}

}
