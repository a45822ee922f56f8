package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Guards of listeners, in the statement that appends. */
class AppendGuardsIT extends AppendListenerSetup {

	private static final AppendGuard EXCLUSIVE = new AppendGuard("pg_advisory_xact_lock(26, 6)");

	@Test
	void areEvaluatedInOrderBeforeAPositionIsDrawnAndGiveTheirResults() {
		List<@Nullable String> results = new ArrayList<>();
		BiConsumer<AppendedEvents, @Nullable String> keep = (append, guard) -> results.add(guard);
		EventStore listened = this.store
			.withListeners(List.of(listener("c").after(keep), listener("b").guard("note('b')").after(keep),
					listener("a", 1).guard("note('a')").after(keep), listener("d").guard("1 + 1").after(keep)));
		append(listened, "order-1", placed(1), placed(2));
		assertThat(notes()).containsExactly("b 0", "a 0");
		assertThat(results).containsExactly("noted b", null, "2", "noted a");
		append(listened, "order-2", placed(1));
		assertThat(notes()).containsExactly("b 0", "a 0", "b 2", "a 2");
	}

	/**
	 * So positions of appends that exclude each other are in the order of commits.
	 */
	@Test
	void anAppendThatWaitsHasItsStreamAndNoPosition() throws Exception {
		EventStore listened = this.store.withListeners(List.of(listener("one").guard(EXCLUSIVE.sql())));
		CountDownLatch done = new CountDownLatch(1);
		Future<AppendResult> first = this.threads.submit(() -> this.world.inTransaction(() -> {
			AppendResult result = listened.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
			await(done);
			return result;
		}));
		Awaitility.await().until(() -> locks("granted") == 1);
		Future<AppendResult> second = this.threads.submit(() -> append(listened, "order-2", placed(2)));
		Awaitility.await().until(() -> locks("not granted") == 1);
		assertThat(this.world.log().drawn()).as("positions drawn").isEqualTo(1);
		assertThat(isStreamTaken()).as("order-2 is locked").isTrue();
		done.countDown();
		assertThat(first.get(60, TimeUnit.SECONDS).lastPosition()).isEqualTo(1);
		assertThat(second.get(60, TimeUnit.SECONDS).lastPosition()).isEqualTo(2);
	}

	private void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private long locks(String which) {
		return this.world.count("""
				select count(*) from pg_locks where locktype = 'advisory' and classid = 26 and %s
				   and database = (select oid from pg_database where datname = current_database())""".formatted(which));
	}

	/** Its row is not committed: an insert of it waits. */
	private boolean isStreamTaken() {
		try {
			this.world.inTransaction(() -> {
				this.world.jdbc().execute("set local lock_timeout = '200ms'");
				return this.world.jdbc().update("""
						insert into eventing.streams (tenant_id, stream_id, version) values ('acme', 'order-2', 9)""");
			});
			return false;
		}
		catch (DataAccessException ex) {
			return String.valueOf(ex.getMessage()).contains("lock timeout");
		}
	}

	@Test
	void thatFailLeaveNothing() {
		EventStore listened = this.store
			.withListeners(List.of(listener("a").guard("note('a')"), listener("b").guard("1 / 0")));
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> append(listened, "order-1", placed(1)))
			.withMessageContaining("division by zero");
		assertNothingIsStored();
		assertThat(this.world.log().drawn()).isZero();
		assertThat(this.calls).containsExactly("before a", "before b");
	}

	@Test
	void haveNoParameters() {
		assertThatIllegalArgumentException().isThrownBy(() -> new AppendGuard("note(?)"))
			.withMessageContaining("Consider");
		assertThatIllegalArgumentException().isThrownBy(() -> new AppendGuard(" "));
	}

}
