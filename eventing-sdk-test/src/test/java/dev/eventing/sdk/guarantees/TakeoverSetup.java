package dev.eventing.sdk.guarantees;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.awaitility.Awaitility.await;

/**
 * Two nodes, of which the owner dies with deliveries in flight: its handlers wait for a
 * table that is locked until then.
 */
abstract class TakeoverSetup {

	@RegisterExtension
	final ProjectorProcess owner;

	@RegisterExtension
	final ProjectorProcess standby;

	@AutoClose
	final World world = World.create();

	TakeoverSetup(Class<?> projectors) {
		this.owner = ProjectorProcess.of(projectors);
		this.standby = ProjectorProcess.of(projectors);
	}

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table gate (closed boolean)");
	}

	/** Publishes, kills the owner with all of it in flight, and starts to measure. */
	Stopwatch killTheOwner(int accounts, int versions, int deliveries) {
		publishAll(accounts, versions);
		return whileNoHandlerEnds(() -> {
			this.owner.start(this.world);
			this.owner.awaitReady();
			await().until(() -> unsettled() == deliveries);
			this.standby.start(this.world);
			this.standby.awaitReady();
			Stopwatch watch = Stopwatch.start(() -> this.world.count("select 1"));
			this.owner.kill();
			return watch;
		});
	}

	private void publishAll(int accounts, int versions) {
		for (int version = 1; version <= versions; version++) {
			CompletableFuture<?>[] published = new CompletableFuture<?>[accounts];
			for (int account = 0; account < accounts; account++) {
				published[account] = this.world.publisher()
					.publishAsync(this.world.subject(), this.world.deposit(World.ACME, "a" + account, version));
			}
			CompletableFuture.allOf(published).join();
		}
	}

	private <T> T whileNoHandlerEnds(Supplier<T> action) {
		return Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(this.world.jdbc().getDataSource()))
				.execute((status) -> {
					this.world.jdbc().execute("lock table gate in access exclusive mode");
					return action.get();
				}));
	}

	/** None while there is no durable yet. */
	long unsettled() {
		return this.world.jetStream((management) -> management.getConsumers(this.world.stream())
			.stream()
			.mapToLong((durable) -> durable.getNumAckPending())
			.sum());
	}

}
