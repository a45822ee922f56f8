package dev.eventing.benchmark.peers.micronaut;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import io.micronaut.context.annotation.Property;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;

import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.peers.Progress;

/**
 * The read model and, in the same transaction, the events it has seen: the idempotent
 * consumer that micronaut-nats leaves to its user.
 */
@Singleton
class AccountsService {

	/**
	 * The primary key holds up other deliveries of the same event, and tells them apart.
	 */
	private static final String CLAIM = """
			insert into processed_event (projector, event_id, tenant_id) values (?, ?, ?)
			on conflict do nothing""";

	private final Connection connection;

	private final String projector;

	private final Progress progress;

	/**
	 * Made by Micronaut.
	 * @param connection stands for the connection of the transaction around the call
	 */
	AccountsService(Connection connection, @Property(name = MicronautApplication.PROJECTOR) String projector,
			Progress progress) {
		this.connection = connection;
		this.projector = projector;
		this.progress = progress;
	}

	/** Applies an event in its own transaction. */
	@Transactional
	void apply(Delivery delivery) throws SQLException {
		try (PreparedStatement claim = this.connection.prepareStatement(CLAIM);
				PreparedStatement update = this.connection.prepareStatement(ReadModel.UPDATE)) {
			apply(delivery, claim, update);
		}
	}

	/** Applies events in one transaction, in their order. */
	@Transactional
	void applyAll(List<Delivery> deliveries) throws SQLException {
		try (PreparedStatement claim = this.connection.prepareStatement(CLAIM);
				PreparedStatement update = this.connection.prepareStatement(ReadModel.UPDATE)) {
			for (Delivery delivery : deliveries) {
				apply(delivery, claim, update);
			}
		}
	}

	private void apply(Delivery delivery, PreparedStatement claim, PreparedStatement update) throws SQLException {
		claim.setString(1, this.projector);
		claim.setObject(2, delivery.id());
		claim.setString(3, delivery.tenant());
		if (claim.executeUpdate() == 1) {
			update.setLong(1, delivery.change().amount());
			update.setLong(2, delivery.change().change());
			update.setString(3, delivery.change().account());
			update.executeUpdate();
			this.progress.handled();
		}
	}

}
