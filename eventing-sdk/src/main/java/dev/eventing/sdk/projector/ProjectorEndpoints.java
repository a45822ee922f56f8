package dev.eventing.sdk.projector;

/** Takes the descriptions of projectors, before they are started. */
public interface ProjectorEndpoints {

	/**
	 * Adds a projector.
	 * @throws IllegalStateException if there is one of that name
	 */
	void register(ProjectorEndpoint endpoint);

}
