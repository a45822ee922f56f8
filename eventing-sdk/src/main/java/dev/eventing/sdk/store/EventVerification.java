package dev.eventing.sdk.store;

import java.util.List;
import java.util.Set;

/**
 * What {@link EventVerifier} has found.
 *
 * @param events the number of events that were read, of the tenant that was asked for
 * @param upTo the position up to which events were read
 * @param unbound the events that cannot be bound to a class of their type, by type,
 * version and class; empty if all can be
 * @param unknownTypes the types that no class was given for. Their events are not
 * checked, because the application may have no need of them.
 */
public record EventVerification(long events, long upTo, List<Unbound> unbound, Set<String> unknownTypes) {

	public EventVerification {
		unbound = List.copyOf(unbound);
		unknownTypes = Set.copyOf(unknownTypes);
	}

	/** Whether each event that has a class can be bound to it. */
	public boolean isClean() {
		return this.unbound.isEmpty();
	}

	/**
	 * Events of one type and version that cannot be bound to one class.
	 *
	 * @param type the type of the events
	 * @param version the version in which they were written; 0 if their row cannot be
	 * read
	 * @param problem why the first one cannot be bound, without any part of a payload
	 * @param events how many there are
	 * @param positions the positions of the first ones, at most as many as were asked for
	 */
	public record Unbound(String type, int version, String problem, long events, List<Long> positions) {

		public Unbound {
			positions = List.copyOf(positions);
		}

	}

}
