package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.store.VersionConflictException;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Publishes events of many accounts, each account's in order, until it is stopped: a
 * round of one event for each account at a time. An event that is not confirmed is
 * published again until it is.
 */
final class Load implements AutoCloseable {

	private final World world;

	private final int accounts;

	private final Way way;

	private final ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor();

	private final ScheduledFuture<?> publishing;

	private volatile boolean stopped;

	private volatile long rounds;

	private Load(World world, Way way, int accounts, Duration every) {
		this.world = world;
		this.way = way;
		this.accounts = accounts;
		this.publishing = this.publisher.scheduleWithFixedDelay(this::publishRound, 0, every.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	/** Begins to publish a round of one event per account this often. */
	@SuppressWarnings("FutureReturnValueIgnored") // a wait for a round sees that
													// none comes
	static Load of(World world, int accounts, Duration every) {
		return new Load(world, Way.PUBLISHED, accounts, every);
	}

	/** Begins to append a round of one event per account this often. */
	static Load ofAppends(World world, int accounts, Duration every) {
		return new Load(world, Way.APPENDED, accounts, every);
	}

	private void publishRound() {
		long version = this.rounds + 1;
		for (int account = 0; account < this.accounts; account++) {
			if (this.way == Way.APPENDED) {
				appendUntilCommitted(this.way.prefix + account, version);
			}
			else {
				publishUntilConfirmed(this.world.deposit(World.ACME, this.way.prefix + account, version));
			}
		}
		this.rounds = version;
	}

	private void appendUntilCommitted(String account, long version) {
		while (true) {
			try {
				this.world.append(World.ACME, account, version, version);
				return;
			}
			catch (VersionConflictException ex) {
				return; // it was committed by the commit that got no answer
			}
			catch (DataAccessException | TransactionException ex) {
				if (this.stopped) {
					throw ex;
				}
			}
		}
	}

	private void publishUntilConfirmed(Event<Deposited> event) {
		while (true) {
			try {
				this.world.publish(event);
				return;
			}
			catch (NatsUnavailableException ex) {
				if (this.stopped) {
					throw ex;
				}
			}
		}
	}

	/** How many rounds are in the stream. */
	long rounds() {
		return this.rounds;
	}

	/** How many rounds the read model has seen in full. */
	long applied() {
		return this.world.count(
				"select coalesce(min(version), 0) from account where account like '%s%%'".formatted(this.way.prefix));
	}

	void awaitApplied(long more) {
		long goal = this.rounds + more;
		await().failFast("events were applied out of order", this::disordered)
			.ignoreExceptions()
			.until(() -> applied() >= goal);
	}

	/**
	 * Stops, and waits until all that was published is applied: once, and in order. It
	 * waits for as long as there is progress, because a slow machine leaves more to do.
	 */
	void stopAndAwaitAll() {
		close();
		long applied = -1;
		while (applied < this.rounds) {
			long before = applied;
			applied = await().failFast("events were applied out of order", this::disordered)
				.ignoreExceptions()
				.until(this::applied, (now) -> now > before);
		}
		assertThat(applied).isEqualTo(this.rounds);
		assertThat(disordered()).isFalse();
		assertThat(
				this.world.count("select sum(total) from account where account like '%s%%'".formatted(this.way.prefix)))
			.isEqualTo(this.accounts * this.rounds * (this.rounds + 1) / 2);
	}

	private boolean disordered() {
		try {
			return this.world.count("select count(*) from violations") > 0;
		}
		catch (DataAccessException ex) {
			return false; // the database is away
		}
	}

	/** How events come about. */
	private enum Way {

		PUBLISHED("load-"), APPENDED("stored-");

		private final String prefix;

		Way(String prefix) {
			this.prefix = prefix;
		}

	}

	@Override
	public void close() {
		this.stopped = true;
		this.publishing.cancel(false);
		this.publisher.shutdown();
		await().until(this.publisher::isTerminated);
	}

}
