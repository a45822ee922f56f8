package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.relay.RelayOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: publishing does not wait for a save of the relay's position, and while saves hang
 * or fail the relay does not continue without end.
 */
class G7SlowSaveIT {

	private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(3);

	/** More than are in flight when a save begins: one of a stream. */
	private static final long SEVERAL = 5;

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@Test
	void publishesWhileASaveWaits() {
		appending((relay) -> {
			boolean published = false;
			for (int attempt = 0; attempt < 10 && !published; attempt++) {
				long before = position();
				await().until(() -> position() > before);
				published = locked((blocker) -> {
					Save first = awaitSave(blocker, relay);
					Save last = await().until(() -> save(blocker, relay),
							(now) -> !first.isSame(now) || now.published() >= first.published() + SEVERAL);
					return first.isSame(last);
				});
			}
			assertThat(published).isTrue();
		});
	}

	@Test
	void publishesNothingFurtherWhileASaveWaitsForLongOrSavesFailAgainAndAgain() {
		appending((relay) -> {
			boolean stopped = locked((blocker) -> {
				AtomicReference<@Nullable Save> seen = new AtomicReference<>();
				await().during(Duration.ofMillis(300)).until(() -> {
					Save save = save(blocker, relay);
					Save before = seen.getAndSet(save);
					return save != null && (before == null || save.equals(before));
				});
				Save first = awaitSave(blocker, relay);
				// Its statement ends by its time-out, and the relay begins again.
				Save second = await().until(() -> save(blocker, relay), (save) -> save != null && !first.isSame(save));
				Save last = await().until(() -> save(blocker, relay),
						(save) -> !second.isSame(save) || save.published() > second.published() + mostInTheWindow());
				return !second.isSame(last);
			});
			assertThat(stopped).isTrue();
		});
	}

	private int mostInTheWindow() {
		RelayOptions.Bounds bounds = this.world.options().bounds();
		return bounds.events() + bounds.pageSize();
	}

	/** Runs a relay to whose stream a thread appends all the time. */
	private void appending(Consumer<AnnotationConfigApplicationContext> test) {
		AtomicBoolean on = new AtomicBoolean(true);
		try (AnnotationConfigApplicationContext relay = this.world.world()
			.start(RelayWorld.application(this.world.options())
				.customize((context) -> context.registerBean(JdbcOptions.class,
						() -> new JdbcOptions(STATEMENT_TIMEOUT, JdbcOptions.DEFAULT_HANDLER_TIMEOUT))))) {
			this.world.append(World.ACME, "account-1", 1);
			this.world.awaitDrained();
			CompletableFuture<Void> appender = CompletableFuture.runAsync(() -> {
				while (on.get()) {
					this.world.append(World.ACME, "account-1", 10);
				}
			});
			try {
				test.accept(relay);
			}
			finally {
				on.set(false);
				appender.join();
			}
			this.world.awaitDrained();
			this.world.assertThatTheStreamHoldsEverythingInOrder();
		}
	}

	/** Tests while the lock of the relay's position is held by this backend. */
	private boolean locked(IntPredicate test) {
		return Boolean.TRUE.equals(this.world.transaction()
			.execute((status) -> test.test(Objects.requireNonNull(this.world.jdbc()
				.queryForObject("select pg_backend_pid() from eventing.relays for update", Integer.class)))));
	}

	private long position() {
		return this.world.world().count("select position from eventing.relay_positions");
	}

	private Save awaitSave(int blocker, AnnotationConfigApplicationContext relay) {
		return Objects.requireNonNull(await().until(() -> save(blocker, relay), Objects::nonNull));
	}

	/** The save that waits for a row that this backend has locked; null if none does. */
	private @Nullable Save save(int blocker, AnnotationConfigApplicationContext relay) {
		List<String> waiting = this.world.jdbc().queryForList("""
				select pid || ' since ' || query_start from pg_stat_activity
				 where ? = any(pg_blocking_pids(pid)) and query like '%relays%'
				""", String.class, blocker);
		return waiting.isEmpty() ? null : new Save(waiting.get(0), RelayWorld.status(relay).counts().published());
	}

	/**
	 * A save that waits.
	 *
	 * @param statement the statement and when it began
	 * @param published how many events the relay has published
	 */
	private record Save(String statement, long published) {

		boolean isSame(@Nullable Save other) {
			return other != null && other.statement().equals(this.statement);
		}

	}

}
