package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.liveview.LiveView;

/** A live view whose events change two states each. */
@LiveView(value = Transfers.NAME, subject = "${root}.{tenant}.deposited", concurrency = 1)
class Transfers {

	static final String NAME = "transfers";

	/** What is refused, by the account and the amount, such as {@code a/2}. */
	final Set<String> refused = ConcurrentHashMap.newKeySet();

	Purse initial() {
		return new Purse(0, "");
	}

	List<String> keys(Transferred event) {
		return event.from().isEmpty() ? List.of() : List.of(event.to(), event.from());
	}

	Purse apply(Purse state, Transferred event, String key) {
		if (this.refused.contains(key + "/" + event.amount())) {
			throw new IllegalArgumentException("refused by the test");
		}
		long change = (key.equals(event.to()) ? event.amount() : 0) - (key.equals(event.from()) ? event.amount() : 0);
		return new Purse(state.total() + change, state.amounts() + event.amount() + ";");
	}

	/**
	 * What an account has.
	 *
	 * @param amounts those of its events, in their order
	 */
	record Purse(long total, String amounts) {
	}

}
