package dev.eventing.sdk.nats;

/**
 * A durable consumer belongs to the projector of another database: of two that share it
 * each would be given a part of the events.
 */
public class ForeignDurableException extends JetStreamConfigurationException {

	private static final long serialVersionUID = 1L;

	ForeignDurableException(DurableSpec spec, String owner) {
		super("Durable '" + spec.name() + "' of projector '" + spec.projector() + "' on stream '" + spec.stream()
				+ "' belongs to another database: its schema has the identity '" + owner + "', the one here has '"
				+ spec.schema()
				+ "'. Each would be given a part of the events. Consider another name for this durable or "
				+ "projector, or, if the other database is gone for good, deleting the durable: it is made anew behind "
				+ "the place that is saved here.");
	}

}
