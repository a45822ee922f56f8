package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;

/**
 * Finds the tenant in the subject of one event. The result may depend on the event's
 * type, which is known only after the event has been read.
 */
@FunctionalInterface
public interface SubjectTenant {

	/**
	 * The token at the tenant's position, valid or not.
	 * @param type the event's type, or null if it has none
	 * @return null if the subject has no token for the tenant
	 */
	@Nullable String of(@Nullable String type);

}
