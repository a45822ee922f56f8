package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what becomes of a request for a generation, also in the audit. Every method
 * runs in the caller's transaction.
 */
final class RequestOutcomes {

	private static final Logger logger = LoggerFactory.getLogger(RequestOutcomes.class);

	private final ProjectorId projector;

	private final RequestLedger requests;

	private final GenerationLedger generations;

	RequestOutcomes(ProjectorId projector, RequestLedger requests, GenerationLedger generations) {
		this.projector = projector;
		this.requests = requests;
		this.generations = generations;
	}

	/** The request is tried again. */
	void waits(ProjectionRequest request, String why) {
		this.requests.waits(request.id(), why);
	}

	/** The request fails. */
	void refuse(ProjectionRequest request, String why) {
		if (this.requests.end(request.id(), Status.FAILED, why)) {
			this.generations.audit(request.what().generation(), this.projector.actor(),
					request.what().action().failed(), null, why);
		}
		logger.error("The request of {} for the read model of projector '{}' is not done. {}", request.by().actor(),
				this.projector.base(), why);
	}

	/** The request is done. The caller logs it. */
	void done(ProjectionRequest request, int generation, ProjectionAction action, String what) {
		this.requests.end(request.id(), Status.DONE, what);
		this.generations.audit(generation, request.by().actor(), action, request.by().reason(), what);
	}

}
