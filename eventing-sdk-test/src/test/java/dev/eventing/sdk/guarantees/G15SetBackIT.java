package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.liveview.LiveViews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G15: states change, and no frame tells it: the database is set back, or the outcome of
 * a commit is not known.
 */
class G15SetBackIT {

	private static final Duration CONVERGES = Duration.ofSeconds(5);

	@AutoClose
	private final World world = World.create();

	private AnnotationConfigApplicationContext owner() {
		return this.world.start(WorldApplication.of(new Balances()).lease(Duration.ofSeconds(2)));
	}

	/**
	 * The states are those of a backup, also if they have the versions that subscribers
	 * have.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 8, 10 })
	void subscribersFollowADatabaseThatGivesVersionsAgain(long version) {
		try (AnnotationConfigApplicationContext owner = owner()) {
			LiveViews views = owner.getBean(LiveViews.class);
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				await().until(watcher::isLive);
				this.world.publish(World.ACME, "a", 1, 10);
				await().until(() -> watcher.version().toString().equals("1.10"));
				await().until(() -> this.world
					.count("select count(*) from eventing.projections where live_server is not null") == 1);
				restore(version);
				// with a live epoch that was never there
				await().atMost(CONVERGES)
					.until(() -> watcher.isLive() && watcher.isCurrent(views) && watcher.version().version() == version
							&& watcher.version().liveEpoch() > 1_000_000_000L);
				assertThat(watcher.balance().total()).isEqualTo(-7);
				this.world.publish(World.ACME, "a", 11, 12);
				await().until(() -> watcher.version().version() == version + 2);
				assertThat(watcher.balance().total()).isEqualTo(-7 + 11 + 12);
				assertThat(watcher.isCurrent(views)).isTrue();
			}
		}
	}

	private void restore(long version) {
		this.world.jdbc().execute("""
				do $$ begin
				  create temp table kept on commit drop as table eventing.projection_snapshots;
				  truncate eventing.projection_snapshots;
				  update kept set version = %d, state = state || '{"total":-7}';
				  insert into eventing.projection_snapshots select * from kept;
				end $$""".formatted(version));
	}

	@Test
	void subscribersGetAChangeByHandWhoseCommitIsUnknown() {
		AtomicBoolean unknown = new AtomicBoolean();
		try (AnnotationConfigApplicationContext owner = owner();
				Watcher watcher = Watcher.of(owner.getBean(LiveViews.class), World.ACME, "a")) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> watcher.isLive() && watcher.version().version() == 5);
			WorldApplication application = WorldApplication.of(new Balances())
				.customize((context) -> context.registerBean("platformTransactionManager",
						PlatformTransactionManager.class,
						() -> new Forgetful(context.getBean(HikariDataSource.class), unknown)));
			try (AnnotationConfigApplicationContext hand = this.world.start(application)) {
				unknown.set(true);
				assertThatExceptionOfType(TransactionSystemException.class)
					.isThrownBy(() -> hand.getBean(LiveViews.class)
						.apply(Balances.NAME, this.world.deposit(World.ACME, "a", 6)));
				unknown.set(false);
				await().atMost(CONVERGES).until(() -> watcher.version().version() == 6);
				assertThat(watcher.isCurrent(owner.getBean(LiveViews.class))).isTrue();
				assertThat(watcher.frames).extracting((frame) -> frame.version().version())
					.as("no frame told it")
					.doesNotContain(6L);
			}
		}
	}

	/** Commits, and loses the answer, on the thread of the test. */
	private static final class Forgetful extends JdbcTransactionManager {

		private static final long serialVersionUID = 1L;

		private final AtomicBoolean forgets;

		private final Thread thread = Thread.currentThread();

		Forgetful(HikariDataSource dataSource, AtomicBoolean forgets) {
			super(dataSource);
			this.forgets = forgets;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			if (this.forgets.get() && Thread.currentThread() == this.thread) {
				throw new TransactionSystemException("lost by the test");
			}
		}

	}

}
