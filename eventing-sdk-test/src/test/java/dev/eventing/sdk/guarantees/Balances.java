package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.liveview.LiveView;

/** The live view of the guarantees' tests: what an account has, from all its events. */
@LiveView(value = Balances.NAME, subject = "${root}.{tenant}.deposited", maxStateBytes = 4096)
class Balances {

	static final String NAME = "balances";

	/** Accounts whose events are refused. */
	final Set<String> refused = ConcurrentHashMap.newKeySet();

	/** An account without interest. */
	static final String IGNORED = "ignored";

	Balance initial() {
		return new Balance(0, 0, 9_007_199_254_740_993L, new TreeMap<>(), "");
	}

	String key(Deposited event) {
		return event.account().equals(IGNORED) ? null : event.account();
	}

	Balance apply(Balance state, Deposited event) {
		if (this.refused.contains(event.account())) {
			throw new IllegalArgumentException("refused by the test");
		}
		Map<String, Long> last = new TreeMap<>(state.last());
		last.put("v" + event.version() % 3, event.version());
		if (event.version() % 5 == 0) {
			last.remove("v1");
		}
		return new Balance(event.version(), state.total() + event.amount(), state.large(), last,
				"x".repeat((int) Math.max(0, event.amount() - 1000)));
	}

	/**
	 * What an account has.
	 *
	 * @param version that of the last event
	 * @param total the sum of all amounts
	 * @param large more than JavaScript can hold
	 * @param last some of the last versions
	 * @param text as long as the last amount is larger than 1000
	 */
	record Balance(long version, long total, long large, Map<String, Long> last, String text) {

		/**
		 * Of an account with events of versions 1 to this, as {@link World} makes them.
		 */
		static Balance upTo(long version) {
			Balances view = new Balances();
			Balance state = view.initial();
			for (long each = 1; each <= version; each++) {
				state = view.apply(state, new Deposited("any", each, each));
			}
			return state;
		}

	}

}
