package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request for a change over HTTP. Each change has a record with the fields
 * that it reads, so a field of another change is refused and not passed over. An absent
 * field is null or false.
 */
public interface ChangeBody {

	/** Whether only to look what would change. */
	boolean dryRun();

	/**
	 * The actor that the request names, or null. It counts only where no user is logged
	 * in, and only in a console that is open to anyone.
	 */
	@Nullable String actor();

	/** Whether somebody must answer for the request. */
	default boolean needsActor() {
		return !dryRun();
	}

}
