package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.RelayAudit.Difference;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An operator's actions on a relay. They work on any node, because the publishing node
 * sees them in the database. Thread-safe.
 */
final class RelayOperations {

	/** How long an operator's action waits for an answer. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final JdbcRelayPositions positions;

	private final JdbcRelayCategories categories;

	private final JdbcRefusals refusals;

	private final RelayAudit audit;

	private final SeparateTransactions transactions;

	RelayOperations(RelayOptions options, RelayServices services) {
		this.transactions = new SeparateTransactions(BoundedDataSource.of(services.dataSource(), PATIENCE));
		JdbcTemplate jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.positions = new JdbcRelayPositions(jdbc, services.schema(), options.name());
		this.categories = new JdbcRelayCategories(jdbc, this.transactions.dataSource(), services.schema(),
				options.name());
		this.refusals = new JdbcRefusals(jdbc, services.schema(), options.name(), options.refusedEvents());
		this.audit = new RelayAudit(options, new StreamTails(services.client()), services.log(), this.positions,
				new LateEvents(jdbc, services.schema(), options.name()), new PrunedHistory(jdbc, services.schema()));
	}

	RelayLag lag() {
		return this.positions.lag();
	}

	List<Refusal> refusals(int limit) {
		return this.refusals.find(limit);
	}

	int retry(StreamKey key) {
		return locked(() -> this.refusals.retry(key));
	}

	boolean giveUp(long position) {
		return locked(() -> this.refusals.giveUp(position));
	}

	long acceptRestore() {
		Difference difference = this.audit.difference();
		try {
			return locked(() -> {
				this.positions.accept(difference.highest(), difference.same());
				return difference.highest();
			});
		}
		catch (DataAccessException ex) {
			if (DatabaseFailure.isForWantOfRight(ex)) {
				throw new OperatorMustActException(
						"The restore is not accepted, because the role may not lock the events and move their sequence."
								+ " Consider, as the owner of the tables, '" + this.positions.grantsToAccept()
								+ "', and revoking it afterwards. The database says: " + DatabaseFailure.brief(ex)
								+ ".",
						ex);
			}
			throw ex;
		}
	}

	/** The categories that the relay publishes, with what it has passed over. */
	PublishedFrom published() {
		return this.categories.find();
	}

	/** The events in these gaps are published, or not needed. */
	void close(PublishedFrom gaps) {
		locked(() -> {
			PublishedFrom closed = this.categories.find().closed(gaps);
			if (!closed.positions().isEmpty()) {
				this.categories.save(closed);
			}
			return closed;
		});
	}

	private <T> T locked(Supplier<T> task) {
		this.positions.find();
		return this.transactions.write(() -> {
			this.positions.lock();
			return task.get();
		});
	}

}
