package dev.eventing.sdk.actuate;

import java.security.Principal;

import dev.eventing.sdk.operator.ErasureChange;
import dev.eventing.sdk.operator.ErasureOperations;
import dev.eventing.sdk.operator.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Erases the contents of streams over HTTP, at {@code /actuator/eventing-erasures}.
 * Everyone with access to the endpoint can look what would go. Erasures are rejected
 * unless {@code eventing.erasure.write-enabled} is true.
 *
 * <pre>
 * POST /erase   erases the contents of a stream
 * </pre>
 *
 * <p>
 * Each call runs on the caller's thread. The actor is the logged-in user, else the given
 * {@code actor}. An invalid call is answered with a {@link Problem} and its status.
 */
@WebEndpoint(id = ErasuresEndpoint.ID)
public final class ErasuresEndpoint {

	/** The endpoint's id; Boot warns of ids with a dash. */
	public static final String ID = "eventingErasures";

	/** The last part of its URL. */
	public static final String PATH = "eventing-erasures";

	private static final Logger LOG = LoggerFactory.getLogger(ErasuresEndpoint.class);

	private final ErasureOperations operations;

	public ErasuresEndpoint(ErasureOperations operations) {
		this.operations = operations;
	}

	/**
	 * Erases, or looks what would go.
	 * @param change {@code erase}
	 * @param tenant the tenant of the stream; the call reaches no other
	 * @param stream the id of the stream in the event store
	 * @param reason the reason, for the audit
	 * @param dryRun whether only to look
	 * @param yes must be true unless it is a dry run
	 */
	@WriteOperation
	public WebEndpointResponse<Object> change(@Selector String change, SecurityContext security,
			@Nullable String tenant, @Nullable String stream, @Nullable String reason, @Nullable Boolean dryRun,
			@Nullable Boolean yes, @Nullable String actor) {
		Principal principal = security.getPrincipal();
		ErasureChange wanted = new ErasureChange(tenant, stream, (principal != null) ? principal.getName() : actor,
				reason, Boolean.TRUE.equals(dryRun), Boolean.TRUE.equals(yes));
		return JsonResponses.of(() -> change.equals("erase") ? this.operations.erase(wanted) : null, LOG,
				"streams of the tenant");
	}

}
