package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;

/**
 * What the subject of one event says about its tenant. That may depend on the event's
 * type, which is known only once the event has been read.
 */
@FunctionalInterface
public interface SubjectTenant {

	/**
	 * The token at the tenant's place, valid or not.
	 * @param type the type the event says, or null if it says none
	 * @return null if the subject has no such place
	 */
	@Nullable String of(@Nullable String type);

}
