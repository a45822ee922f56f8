package dev.eventing.benchmark.sdk;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountState;
import dev.eventing.sdk.liveview.LiveView;

/** A state per account, pushed to who follows the account. */
@LiveView(value = "${projector}", subject = "${subject}")
class AccountView {

	AccountState initial() {
		return AccountState.NONE;
	}

	String key(AccountChanged event) {
		return event.account();
	}

	AccountState apply(AccountState state, AccountChanged event) {
		return state.after(event);
	}

}
