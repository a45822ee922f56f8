package dev.eventing.sdk.projector.transaction;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.TenantEvents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What surrounds a transaction of one tenant. */
class TenantTransactionsTests {

	private static final TenantId ACME = TenantId.of("acme");

	private final List<String> calls = new ArrayList<>();

	private final List<RoutedEvent> events = List.of(TenantEvents.work(1, "acme", null).routed());

	@AfterEach
	void noTenantIsLeft() {
		assertThat(CurrentTenant.find()).isEmpty();
	}

	@Test
	void callsListenersAroundTheTransactionWhoseTenantTheThreadHas() {
		TenantTransactions transactions = of(new Noting("one"), new Noting("two"));
		transactions.run(this.events, () -> {
			this.calls.add("begin");
			transactions.begun();
			this.calls.add("commit");
			return true;
		});
		assertThat(this.calls).containsExactly("one before acme", "two before acme", "begin", "one in acme",
				"two in acme", "commit", "two after acme", "one after acme");
	}

	@Test
	void takesTheTenantAwayAfterAnError() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> of(new Noting("one")).run(this.events, () -> {
			throw new AssertionError("of a handler");
		}));
		assertThat(this.calls).containsExactly("one before acme", "one after acme");
	}

	@Test
	void callsAfterOneThatThrewOnlyThoseThatWereCalledBefore() {
		TenantTransactionListener throwing = new Noting("throwing") {

			@Override
			public void beforeBegin(TenantId tenant) {
				throw new IllegalArgumentException("no such tenant");
			}

		};
		assertThatExceptionOfType(TenantTransactions.ListenerFailedException.class)
			.isThrownBy(() -> of(new Noting("one"), throwing, new Noting("two")).run(this.events, () -> true))
			.satisfies((ex) -> assertThat(ex.error()).hasMessage("no such tenant"));
		assertThat(this.calls).containsExactly("one before acme", "throwing after acme", "one after acme");
	}

	@Test
	void anExceptionAfterTheTransactionKeepsItsResultAndTheOtherCalls() {
		TenantTransactionListener throwing = new TenantTransactionListener() {

			@Override
			public void afterCompletion(TenantId tenant) {
				throw new IllegalArgumentException("too late");
			}

		};
		assertThat(of(new Noting("one"), throwing).<String>run(this.events, () -> "applied")).isEqualTo("applied");
		assertThat(this.calls).contains("one after acme");
	}

	@Test
	void refusesEventsOfSeveralTenants() {
		List<RoutedEvent> mixed = List.of(this.events.get(0), TenantEvents.work(2, "globex", null).routed());
		assertThatIllegalStateException().isThrownBy(() -> of().run(mixed, () -> true))
			.withMessageContainingAll("'acme'", "'globex'");
	}

	@Test
	void doesNothingIfTransactionsMayHaveSeveralTenants() {
		TenantTransactions transactions = new TenantTransactions(false, List.of(new Noting("one")));
		List<RoutedEvent> mixed = List.of(this.events.get(0), TenantEvents.work(2, "globex", null).routed());
		transactions.run(mixed, () -> {
			transactions.begun();
			assertThat(CurrentTenant.find()).isEmpty();
			return true;
		});
		assertThat(this.calls).isEmpty();
	}

	private static TenantTransactions of(TenantTransactionListener... listeners) {
		return new TenantTransactions(true, List.of(listeners));
	}

	/** Notes its calls with the tenant that the thread has. */
	private class Noting implements TenantTransactionListener {

		private final String name;

		Noting(String name) {
			this.name = name;
		}

		@Override
		public void beforeBegin(TenantId tenant) {
			note("before", tenant);
		}

		@Override
		public void afterBegin(TenantId tenant) {
			note("in", tenant);
		}

		@Override
		public void afterCompletion(TenantId tenant) {
			note("after", tenant);
		}

		private void note(String when, TenantId tenant) {
			assertThat(tenant).isEqualTo(ACME);
			TenantTransactionsTests.this.calls.add(this.name + " " + when + " " + CurrentTenant.require());
		}

	}

}
