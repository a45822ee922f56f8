package dev.eventing.sdk.operator;

import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.erasure.ErasureRequest;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Handles HTTP requests for erasures: checks permissions and arguments, and calls
 * {@link Erasure}. Each call runs one or several transactions on the caller's thread, and
 * may wait for those that apply events of the stream. Thread-safe.
 */
public final class ErasureOperations {

	private final Erasure erasure;

	private final boolean writeEnabled;

	/**
	 * Sends no query yet.
	 * @param writeEnabled whether anything may be erased
	 */
	public ErasureOperations(Erasure erasure, boolean writeEnabled) {
		this.erasure = erasure;
		this.writeEnabled = writeEnabled;
	}

	/**
	 * Erases, or looks what would go. Null if there is no such stream in the scope.
	 * @throws WriteRefusedException if only looking is allowed
	 * @throws InvalidRequestException if something is missing; nothing was erased
	 * @throws dev.eventing.sdk.erasure.ErasureNotAllowedException if the role of the
	 * application lacks a right; nothing was erased
	 */
	public @Nullable ErasureView erase(Requester by, ErasureChange change) {
		if (!change.dryRun() && !this.writeEnabled) {
			throw WriteRefusedException.erasuresDisabled();
		}
		ErasureRequest request = new ErasureRequest(
				TenantId
					.of(ProjectorOperations.required(change.tenant(), "A \"tenant\" is needed: that of the stream.")),
				ProjectorOperations.required(change.stream(), "A \"stream\" is needed: its id in the event store."),
				ProjectorOperations.required(by.actor(),
						"The erasure has no actor. Consider logging in, or naming an \"actor\"."),
				ProjectorOperations.required(change.reason(), "A \"reason\" is needed, for the audit."));
		String scope = ProjectorOperations.scope(by.tenant());
		if (scope != null && !scope.equals(request.tenantId().value())) {
			return null;
		}
		ErasureReport planned = this.erasure.plan(request);
		if (!planned.known()) {
			return null;
		}
		if (change.dryRun()) {
			return ErasureView.of(request, true, planned);
		}
		if (!change.yes()) {
			throw new InvalidRequestException("An erasure cannot be undone, so nothing was done. Consider \"dryRun\":"
					+ " true, which shows what would go, and then \"yes\": true.");
		}
		return ErasureView.of(request, false, this.erasure.erase(request));
	}

}
