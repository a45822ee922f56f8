package dev.eventing.sdk.nats;

/**
 * A durable consumer belongs to a projector of another database. If two projectors shared
 * it, each would receive only a part of the events.
 */
public class ForeignDurableException extends JetStreamConfigurationException {

	private static final long serialVersionUID = 1L;

	ForeignDurableException(DurableSpec spec, String owner) {
		super("Durable '" + spec.name() + "' of projector '" + spec.projector() + "' on stream '" + spec.stream()
				+ "' belongs to another database: its schema has the identity '" + owner + "', the one here has '"
				+ spec.schema()
				+ "'. Each would receive only a part of the events. Consider another name for this durable or "
				+ "projector, or, if the other database no longer exists, deleting the durable: it is recreated at "
				+ "the position that is saved here.");
	}

}
