package dev.eventing.sdk.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.event.UnknownEventTypeException;
import dev.eventing.sdk.store.SnapshotsIT.AccountEvent.Deposited;
import dev.eventing.sdk.store.SnapshotsIT.AccountEvent.Withdrawn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotsIT {

	private static final String STREAM = "account-1";

	private static final Fold<Account> ACCOUNT = Fold.of(Account.class, new Account(0, null),
			PayloadTypes.ofSealed(AccountEvent.class), Account::after);

	private final AtomicInteger folded = new AtomicInteger();

	/** Counts the events it folds. */
	private final Fold<Account> every10 = new Fold<>("account", Account.class, ACCOUNT.initial(), (account, event) -> {
		this.folded.incrementAndGet();
		return ACCOUNT.evolve().apply(account, event);
	}, 10, 1);

	@AutoClose
	private final StoreWorld world = StoreWorld.shared();

	private final EventStore store = this.world.store();

	@Test
	void foldsAStreamToItsState() {
		assertThat(this.store.load(ACME, STREAM, ACCOUNT).state()).isEqualTo(new Account(0, null));
		assertThat(this.store.load(ACME, STREAM, ACCOUNT).expected()).isEqualTo(ExpectedVersion.noStream());
		this.world.append(ACME, STREAM, ExpectedVersion.any(), deposited(10), withdrawn(3));
		Loaded<Account> loaded = this.store.load(ACME, STREAM, ACCOUNT);
		assertThat(loaded.state().balance()).isEqualTo(7);
		assertThat(loaded.version()).isEqualTo(2);
		assertThat(loaded.expected()).isEqualTo(ExpectedVersion.exact(2));
		assertThat(this.store.load(GLOBEX, STREAM, ACCOUNT).version()).isZero();
		assertThat(rows()).isZero();
	}

	@Test
	void takesASnapshotInTheTransactionOfAnAppendOnceEnoughWasFolded() {
		deposit(10);
		assertThat(rows()).as("only whoever has loaded takes one").isZero();
		appendToLoaded();
		assertThat(this.folded.getAndSet(0)).as("by the load, and for the snapshot").isEqualTo(10 + 10);
		assertThat(rows()).isEqualTo(1);
		Loaded<Account> loaded = this.store.load(ACME, STREAM, this.every10);
		assertThat(loaded.state().balance()).isEqualTo(11);
		assertThat(loaded.version()).isEqualTo(11);
		assertThat(loaded.snapshotVersion()).isEqualTo(10);
		assertThat(this.folded.getAndSet(0)).as("events behind the snapshot").isEqualTo(1);
		for (int i = 0; i < 10; i++) {
			appendToLoaded();
		}
		assertThat(this.store.load(ACME, STREAM, this.every10).snapshotVersion()).isEqualTo(20);
	}

	/** A command may change the object that it got, and then append the change. */
	@Test
	void takesItWithoutWhatTheCallerHasChangedInTheLoadedState() {
		Fold<Purse> purse = Fold.of(Purse.class, new Purse(), PayloadTypes.ofSealed(AccountEvent.class), Purse::after)
			.withSnapshotEvery(10);
		deposit(10);
		this.world.inTransaction(() -> {
			Loaded<Purse> loaded = this.store.load(ACME, STREAM, purse);
			loaded.state().balance += 1;
			return this.store.append(ACME, STREAM, loaded, deposited(1));
		});
		Loaded<Purse> loaded = this.store.load(ACME, STREAM, purse);
		assertThat(loaded.snapshotVersion()).isEqualTo(10);
		assertThat(loaded.state().balance).isEqualTo(11);
	}

	/** Somebody has deleted the rows of a stream, but not its snapshot. */
	@Test
	void isNotOfAnotherStreamThatHadTheIdBefore() {
		deposit(10);
		appendToLoaded();
		this.world.jdbc().update("delete from eventing.events");
		this.world.jdbc().update("delete from eventing.streams");
		Loaded<Account> none = this.store.load(ACME, STREAM, this.every10);
		assertThat(none.version()).as("not that of the snapshot").isZero();
		assertThat(none.state()).isEqualTo(ACCOUNT.initial());
		this.world.append(ACME, STREAM, none.expected(), withdrawn(5));
		assertThat(this.store.load(ACME, STREAM, this.every10).state().balance()).as("behind it").isEqualTo(-5);
		IntStream.range(0, 9).forEach((i) -> this.world.append(ACME, STREAM, ExpectedVersion.any(), withdrawn(5)));
		Loaded<Account> again = this.store.load(ACME, STREAM, this.every10);
		assertThat(again.state().balance()).as("at its version").isEqualTo(-50);
		assertThat(again.snapshotVersion()).isZero();
		this.world.inTransaction(() -> this.store.append(ACME, STREAM, again, withdrawn(5)));
		Loaded<Account> replaced = this.store.load(ACME, STREAM, this.every10);
		assertThat(replaced.snapshotVersion()).as("of the new stream").isEqualTo(10);
		assertThat(replaced.state().balance()).isEqualTo(-55);
	}

	@Test
	void takesNoSnapshotWithAConflictOrARollback() {
		deposit(10);
		Loaded<Account> stale = this.store.load(ACME, STREAM, this.every10);
		deposit(1);
		assertThatExceptionOfType(VersionConflictException.class)
			.isThrownBy(() -> this.world.inTransaction(() -> this.store.append(ACME, STREAM, stale, deposited(1))));
		this.world.transaction().executeWithoutResult((status) -> {
			appendToLoaded();
			status.setRollbackOnly();
		});
		assertThat(rows()).isZero();
	}

	@Test
	void movesForwardOnly() {
		deposit(30);
		Snapshots snapshots = this.store.snapshots();
		assertThat(snapshots.save(ACME, STREAM, ACCOUNT, 20, new Account(20, null))).isTrue();
		assertThat(snapshots.save(ACME, STREAM, ACCOUNT, 10, new Account(10, null))).isFalse();
		assertThat(snapshots.save(ACME, STREAM, ACCOUNT, 20, new Account(21, null))).isFalse();
		assertThat(snapshots.find(ACME, STREAM, ACCOUNT)).contains(new Snapshot<>(new Account(20, null), 20));
		assertThat(snapshots.save(ACME, STREAM, ACCOUNT, 30, new Account(30, "x"))).isTrue();
		assertThat(snapshots.find(ACME, STREAM, ACCOUNT)).contains(new Snapshot<>(new Account(30, "x"), 30));
	}

	@Test
	void keepsTenantsAndNamesApart() {
		deposit(20);
		Snapshots snapshots = this.store.snapshots();
		snapshots.save(ACME, STREAM, ACCOUNT, 20, new Account(20, null));
		assertThat(snapshots.find(ACME, STREAM, ACCOUNT)).isPresent();
		assertThat(snapshots.find(GLOBEX, STREAM, ACCOUNT)).isEmpty();
		assertThat(snapshots.find(ACME, STREAM, ACCOUNT.named("account/2"))).isEmpty();
	}

	/** As while nodes of two versions run, and after a roll back to the former one. */
	@Test
	void areOfOneVersionOfTheFold() {
		Fold<Account> next = this.every10.withVersion(2);
		deposit(10);
		appendToLoaded();
		this.folded.set(0);
		Loaded<Account> loaded = this.store.load(ACME, STREAM, next);
		assertThat(this.folded.getAndSet(0)).as("from the first event on").isEqualTo(11);
		assertThat(loaded.snapshotVersion()).isZero();
		this.world.inTransaction(() -> this.store.append(ACME, STREAM, loaded, deposited(1)));
		assertThat(rows()).isEqualTo(1);
		assertThat(this.store.load(ACME, STREAM, next).snapshotVersion()).isEqualTo(11);
		assertThat(this.store.load(ACME, STREAM, this.every10).snapshotVersion()).isZero();
		appendToLoaded();
		assertThat(this.store.load(ACME, STREAM, this.every10).snapshotVersion()).isEqualTo(12);
		assertThat(this.store.load(ACME, STREAM, next).snapshotVersion()).isZero();
	}

	@Test
	void ignoresASnapshotThatNoLongerFitsTheState() {
		deposit(12);
		for (String state : new String[] { "{\"balance\": 99}", "{\"balance\": 99, \"owner\": null, \"more\": 1}",
				"{\"balance\": \"much\", \"owner\": null}", "[]" }) {
			this.world.jdbc().update("delete from eventing.snapshots");
			this.world.jdbc().update("""
					insert into eventing.snapshots (tenant_id, stream_id, state_type, version, state)
					values ('acme', 'account-1', 'account', 10, ?::jsonb)""", state);
			assertThat(this.store.load(ACME, STREAM, this.every10).state()).as(state).isEqualTo(new Account(12, null));
		}
	}

	@Test
	void refusesAStateThatCannotBeStored() {
		assertThatExceptionOfType(PayloadWritingException.class)
			.isThrownBy(() -> this.store.snapshots().save(ACME, STREAM, ACCOUNT, 1, new Account(1, "\u0000")));
	}

	@Test
	void saysWhichTypeOfAnEventIsUnknown() {
		this.world.append(ACME, STREAM, ExpectedVersion.any(), deposited(1).withType("renamed"));
		assertThatExceptionOfType(UnknownEventTypeException.class)
			.isThrownBy(() -> this.store.load(ACME, STREAM, ACCOUNT))
			.withMessageContaining("'renamed'")
			.withMessageContaining("Deposited");
	}

	private void appendToLoaded() {
		this.world.inTransaction(
				() -> this.store.append(ACME, STREAM, this.store.load(ACME, STREAM, this.every10), deposited(1)));
	}

	private void deposit(int times) {
		this.world.append(ACME, STREAM, ExpectedVersion.any(),
				IntStream.range(0, times).mapToObj((i) -> deposited(1)).toArray(NewEvent[]::new));
	}

	private long rows() {
		return this.world.count("select count(*) from eventing.snapshots");
	}

	private static NewEvent deposited(long amount) {
		return NewEvent.of(new Deposited(amount));
	}

	private static NewEvent withdrawn(long amount) {
		return NewEvent.of(new Withdrawn(amount));
	}

	record Account(long balance, @Nullable String owner) {

		Account after(AccountEvent event) {
			long change = (event instanceof Deposited deposited) ? deposited.amount() : -((Withdrawn) event).amount();
			return new Account(this.balance + change, this.owner);
		}

	}

	/** A state that commands can change, in a fold that does not. */
	static final class Purse {

		public long balance;

		Purse after(AccountEvent event) {
			Purse next = new Purse();
			next.balance = ACCOUNT.initial().after(event).balance() + this.balance;
			return next;
		}

	}

	sealed interface AccountEvent {

		record Deposited(long amount) implements AccountEvent {
		}

		record Withdrawn(long amount) implements AccountEvent {
		}

	}

}
