package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The result of a request to run checks now. Once a node has run them, the list of checks
 * has the results.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was requested
 * @param attended whether a node runs the projector, or stands by; otherwise the request
 * waits for one until it expires. The command line looks at the end, HTTP at the
 * beginning
 * @param request the request; null for a dry run
 * @param checks the names of the checks; empty if all are meant, and no node has said yet
 * which ones it has
 * @param expiresAt until when the request waits for a node; null for a dry run, and over
 * HTTP
 */
public record CheckRequested(String projector, boolean dryRun, boolean attended, @Nullable UUID request,
		List<String> checks, @Nullable Instant expiresAt) {

	/**
	 * The result of a request over HTTP, which no node has taken yet, or of a dry run.
	 * @param request null for a dry run
	 * @param check the name of the check; null for all checks
	 */
	public static CheckRequested of(String projector, boolean attended, @Nullable UUID request,
			@Nullable String check) {
		return new CheckRequested(projector, request == null, attended, request,
				(check != null) ? List.of(check) : List.of(), null);
	}

}
