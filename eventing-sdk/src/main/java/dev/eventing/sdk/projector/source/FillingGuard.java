package dev.eventing.sdk.projector.source;

import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projector.ReadModelRebuildingException;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/** Refuses waits for a read model that is being filled. Thread-safe. */
final class FillingGuard {

	private final String projector;

	private final FillingLedger ledger;

	FillingGuard(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.projector = projector.base();
		this.ledger = new FillingLedger(jdbc, schema, projector);
	}

	/** While a read model is filled, the claims of its events say nothing. */
	void requireNone() {
		Filling filling = this.ledger.filling();
		if (filling != null) {
			throw new ReadModelRebuildingException(this.projector, Objects.requireNonNull(filling.upTo()));
		}
	}

}
