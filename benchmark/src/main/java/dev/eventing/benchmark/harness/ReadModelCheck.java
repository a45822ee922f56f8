package dev.eventing.benchmark.harness;

import java.util.HashMap;
import java.util.Map;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** Compares every row of the read model with what it should be. */
final class ReadModelCheck {

	private final Map<String, Row> expected = new HashMap<>();

	/** Of a read model whose rows are there from the start. */
	ReadModelCheck(AccountChanges changes) {
		this(changes, new Row(0, 0, 0));
	}

	/** Of a read model that was empty, or had such a row of each account. */
	private ReadModelCheck(AccountChanges changes, @Nullable Row start) {
		for (int account = 0; start != null && account < changes.accounts(); account++) {
			this.expected.put(AccountChanges.account(account), start);
		}
		for (AccountChange change : changes) {
			this.expected.merge(change.payload().account(), new Row(change.payload().amount(), 1, change.version()),
					Row::plus);
		}
	}

	/** Of a read model that was empty. */
	static ReadModelCheck ofEmpty(AccountChanges changes) {
		return new ReadModelCheck(changes, null);
	}

	/** Of a read model in which each account had one change without an amount. */
	static ReadModelCheck ofOpened(AccountChanges changes) {
		return new ReadModelCheck(changes, new Row(0, 1, 0));
	}

	/**
	 * Looks at the read model.
	 * @throws WrongResultException if it is not as it should be
	 */
	void check(String contender, JdbcTemplate jdbc) {
		check(contender, jdbc, "account");
	}

	/** The same of a read model in this table. */
	void check(String contender, JdbcTemplate jdbc, String table) {
		Map<String, Row> found = new HashMap<>();
		jdbc.query("select account, balance, changes, last_change from " + table, (row) -> {
			found.put(row.getString(1), new Row(row.getLong(2), row.getLong(3), row.getLong(4)));
		});
		long wrong = this.expected.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue().equals(found.get(entry.getKey())))
			.count();
		if (wrong > 0 || found.size() != this.expected.size()) {
			throw new WrongResultException("Contender '" + contender + "' leaves " + wrong + " of "
					+ this.expected.size() + " accounts wrong. Consider whether it loses, repeats or reorders events.");
		}
	}

	private record Row(long balance, long changes, long lastChange) {

		Row plus(Row later) {
			return new Row(this.balance + later.balance, this.changes + later.changes, later.lastChange);
		}

	}

}
