package dev.eventing.sdk.nats;

import java.util.Set;

/**
 * The subjects of a projector overlap, and its stream does not let one durable read them.
 * An operator must decide. Nothing was changed.
 */
public class OverlappingFiltersException extends JetStreamConfigurationException {

	private static final long serialVersionUID = 1L;

	private final transient Set<String> filters;

	/**
	 * An exception about these filters.
	 * @param filters those that overlap with another one of them
	 */
	public OverlappingFiltersException(String message, Set<String> filters) {
		super(message);
		this.filters = Set.copyOf(filters);
	}

	/** The filters of which each overlaps with another one. */
	public Set<String> filters() {
		return this.filters;
	}

}
