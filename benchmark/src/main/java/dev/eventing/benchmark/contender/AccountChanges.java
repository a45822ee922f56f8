package dev.eventing.benchmark.contender;

import java.time.Instant;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Account changes in order, the same at each iteration, and made as they are asked for so
 * that no heap holds them all. Ids are of version 7 unless told otherwise, in ascending
 * order.
 */
public final class AccountChanges implements Iterable<AccountChange> {

	/** How many accounts there are unless said otherwise. */
	public static final int ACCOUNTS = 10_000;

	private static final String PREFIX = "account-";

	private static final long SEED = 20_260_101;

	/**
	 * As of the start of this run, so that ids are younger than all there were before.
	 */
	private static final long STARTED = System.currentTimeMillis();

	private static final int PER_MILLISECOND = 100;

	private final int events;

	private final int accounts;

	private final boolean timeOrdered;

	private AccountChanges(int events, int accounts, boolean timeOrdered) {
		this.events = events;
		this.accounts = accounts;
		this.timeOrdered = timeOrdered;
	}

	/** This many changes of {@link #ACCOUNTS} accounts. */
	public static AccountChanges of(int events) {
		return new AccountChanges(events, ACCOUNTS, true);
	}

	/** The same of this many accounts. */
	public AccountChanges ofAccounts(int number) {
		return new AccountChanges(this.events, number, this.timeOrdered);
	}

	/** The same with random ids, of version 4. */
	public AccountChanges withRandomIds() {
		return new AccountChanges(this.events, this.accounts, false);
	}

	/** Whether ids ascend with time. */
	public boolean isTimeOrdered() {
		return this.timeOrdered;
	}

	/** How many there are. */
	public int events() {
		return this.events;
	}

	/** How many accounts they are of. */
	public int accounts() {
		return this.accounts;
	}

	/** The account of this number, from 0. */
	public static String account(int number) {
		return PREFIX + "%05d".formatted(number);
	}

	/** The number of this account. */
	public static int number(String account) {
		return Integer.parseInt(account.substring(PREFIX.length()));
	}

	@Override
	public Iterator<AccountChange> iterator() {
		return new Changes();
	}

	private final class Changes implements Iterator<AccountChange> {

		private final SplittableRandom random = new SplittableRandom(SEED);

		private final int[] changes = new int[AccountChanges.this.accounts];

		private int made;

		@Override
		public boolean hasNext() {
			return this.made < AccountChanges.this.events;
		}

		@Override
		public AccountChange next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			int account = this.random.nextInt(this.changes.length);
			long change = ++this.changes[account];
			long amount = this.random.nextLong(-50_000, 100_000);
			UUID id = id();
			this.made++;
			return new AccountChange(id,
					new AccountChanged(account(account), change, amount, "EUR",
							Instant.ofEpochMilli(STARTED + this.made / PER_MILLISECOND),
							"RF%010d".formatted(id.hashCode() & 0xFFFF_FFFFL),
							"Standing order of the account's holder to a utility, quarterly in advance"));
		}

		private UUID id() {
			long low = (this.random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
			if (AccountChanges.this.timeOrdered) {
				long millis = STARTED + this.made / PER_MILLISECOND;
				return new UUID((millis << 16) | 0x7000L | (this.made % PER_MILLISECOND), low);
			}
			return new UUID((this.random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L, low);
		}

	}

}
