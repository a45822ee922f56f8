package dev.eventing.sdk.actuate;

import java.security.Principal;
import java.time.Duration;

import dev.eventing.sdk.operator.CheckChange;
import dev.eventing.sdk.operator.CheckOperations;
import dev.eventing.sdk.operator.DiffOperations;
import dev.eventing.sdk.operator.InlineOperations;
import dev.eventing.sdk.operator.Problem;
import dev.eventing.sdk.operator.ProjectionChange;
import dev.eventing.sdk.operator.ProjectionOperations;
import dev.eventing.sdk.operator.ProjectorChange;
import dev.eventing.sdk.operator.ProjectorOperations;
import dev.eventing.sdk.operator.RequestTexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Projectors over HTTP, at {@code /actuator/eventing-projectors}: of all nodes that share
 * the database. Everyone with access to the endpoint can read. Changes are rejected
 * unless {@code eventing.projector.write-enabled} is true.
 *
 * <pre>
 * GET                       all projectors
 * GET  /{name}              one projector
 * GET  /{name}/audit        what was done to it
 * GET  /{name}/generations  the generations of its read model
 * GET  /{name}/request      the last request for its read model
 * GET  /{name}/checks       what the last run of each check found
 * GET  /{name}/inline       what appends do for an inline projector
 * POST /pause               pauses a projector on all nodes
 * POST /resume              ends its pause
 * POST /demote              lets all appends skip an inline projector
 * POST /promote             lets it become inline again
 * POST /rebuild             requests a new generation of its read model
 * POST /backfill            requests that earlier events are applied to the live one
 * POST /switch              requests that a generation becomes live
 * POST /rollback            requests that the former generation becomes live again
 * POST /retire              requests that a generation is dropped
 * POST /adopt               requests that the live tables move to a separate schema
 * POST /diff                compares the live generation with the one beside it
 * POST /cancel              cancels the request that waits
 * POST /reconcile           requests that a node runs checks now
 * </pre>
 *
 * <p>
 * Each call runs on the caller's thread. The actor of a change is the logged-in user,
 * else the given {@code actor}. An invalid call is answered with a {@link Problem} and
 * its status.
 *
 * <p>
 * {@code tenant} is the scope of a call. Such a call sees no counts of all tenants, no
 * reason or detail, and of what checks found only the rows of the tenant. It changes
 * nothing.
 */
@WebEndpoint(id = ProjectorsEndpoint.ID)
public final class ProjectorsEndpoint {

	/** The endpoint's id; Boot warns of ids with a dash. */
	public static final String ID = "eventingProjectors";

	/** The last part of its URL. */
	public static final String PATH = "eventing-projectors";

	private static final Logger LOG = LoggerFactory.getLogger(ProjectorsEndpoint.class);

	private final ProjectorOperations operations;

	private final ProjectionOperations readModels;

	private final CheckOperations checks;

	private final DiffOperations diffs;

	private final InlineOperations inline;

	public ProjectorsEndpoint(ProjectorOperations operations, ProjectionOperations readModels, CheckOperations checks,
			DiffOperations diffs, InlineOperations inline) {
		this.operations = operations;
		this.readModels = readModels;
		this.checks = checks;
		this.diffs = diffs;
		this.inline = inline;
	}

	/** All projectors. */
	@ReadOperation
	public WebEndpointResponse<Object> list(@Nullable String tenant) {
		return answer(() -> this.operations.list(tenant));
	}

	/** One projector. */
	@ReadOperation
	public WebEndpointResponse<Object> projector(@Selector String name, @Nullable String tenant) {
		return answer(() -> this.operations.find(tenant, name).orElse(null));
	}

	/**
	 * The resources of a projector: its audit, its generations, the last request, the
	 * results of its checks, or what appends do for it.
	 * @param what {@code audit}, {@code generations}, {@code request}, {@code checks} or
	 * {@code inline}
	 * @param limit the maximum number of actions of the audit; 100 by default
	 */
	@ReadOperation
	public WebEndpointResponse<Object> below(@Selector String name, @Selector String what, @Nullable String tenant,
			@Nullable Integer limit) {
		return answer(() -> switch (what) {
			case "audit" -> this.operations.audit(tenant, name, limit).orElse(null);
			case "generations" -> this.readModels.generations(tenant, name).orElse(null);
			case "request" -> this.readModels.lastRequest(tenant, name).orElse(null);
			case "checks" -> this.checks.checks(tenant, name).orElse(null);
			case "inline" -> this.inline.find(tenant, name).orElse(null);
			default -> null;
		});
	}

	/**
	 * A change: {@code pause}, {@code resume}, {@code demote}, {@code promote},
	 * {@code rebuild}, {@code backfill}, {@code switch}, {@code rollback},
	 * {@code retire}, {@code adopt}, {@code diff}, {@code cancel} or {@code reconcile}.
	 * @param projector the name of the projector
	 * @param reason the reason; only a resume, a promote, a diff and a reconcile need
	 * none
	 * @param dryRun whether only to look what would change
	 * @param generation the number of the generation to switch to, to retire, or to check
	 * @param inPlace whether a rebuild empties the tables that readers use
	 * @param unchecked whether a switch is made whatever the checks would find
	 * @param acceptLostColumns whether a switch is made although readers lose columns
	 * @param toSchema the schema that the live tables move to
	 * @param wait how long a diff waits for a moment at which both generations have
	 * settled the same events; ten seconds by default
	 * @param rate the most events a second that a build beside the live generation reads,
	 * or a backfill applies
	 * @param maxSize the most that its tables may take, such as {@code 10GB}
	 * @param until the position, or the time, as of which a build beside the live
	 * generation shows the read model
	 * @param streams the streams whose rows a rebuild is of, separated by commas
	 * @param ofTenant the tenant whose rows a rebuild is of, or of which the streams are
	 * @param keysOfLetters the ids of the letters whose keys a rebuild is of, separated
	 * by commas
	 * @param window the window of time whose buckets a rebuild is of, such as
	 * {@code 2026-01-31T00:00:00Z..2026-02-01T00:00:00Z}
	 * @param maxEvents the most events of one transaction of such a rebuild
	 * @param types the types of the events of a backfill, separated by commas
	 * @param handler the handler that a backfill runs for all events
	 * @param to the last position of a backfill
	 * @param check the check to run; all of the projector by default
	 * @param tenant the scope of the caller, who changes nothing then
	 * @param expires how long a request may wait for a node; ten minutes by default
	 */
	@WriteOperation
	public WebEndpointResponse<Object> change(@Selector String change, SecurityContext security,
			@Nullable String projector, @Nullable String reason, @Nullable Boolean dryRun, @Nullable String actor,
			@Nullable Integer generation, @Nullable Boolean inPlace, @Nullable Boolean unchecked,
			@Nullable Boolean acceptLostColumns, @Nullable String toSchema, @Nullable String wait,
			@Nullable Integer rate, @Nullable String maxSize, @Nullable String until, @Nullable String streams,
			@Nullable String ofTenant, @Nullable String keysOfLetters, @Nullable String window,
			@Nullable Integer maxEvents, @Nullable String types, @Nullable String handler, @Nullable Long to,
			@Nullable String check, @Nullable String tenant, @Nullable String expires) {
		Principal principal = security.getPrincipal();
		ProjectorChange wanted = new ProjectorChange(projector, (principal != null) ? principal.getName() : actor,
				reason, Boolean.TRUE.equals(dryRun), tenant);
		return answer(() -> changed(change,
				new ProjectionChange(wanted, generation, Boolean.TRUE.equals(inPlace), Boolean.TRUE.equals(unchecked),
						Boolean.TRUE.equals(acceptLostColumns), toSchema,
						new ProjectionChange.Limits(rate, maxSize, until, RequestTexts.list(types), handler, to,
								new ProjectionChange.Part(ofTenant, RequestTexts.list(streams),
										RequestTexts.list(keysOfLetters), window, maxEvents)),
						RequestTexts.duration("expires", expires)),
				check, RequestTexts.duration("wait", wait)));
	}

	private @Nullable Object changed(String change, ProjectionChange readModel, @Nullable String check,
			@Nullable Duration wait) {
		ProjectorChange wanted = readModel.change();
		return switch (change) {
			case "pause" -> this.operations.pause(wanted);
			case "resume" -> this.operations.resume(wanted);
			case "demote" -> this.inline.demote(wanted);
			case "promote" -> this.inline.promote(wanted);
			case "rebuild" -> this.readModels.rebuild(readModel);
			case "backfill" -> this.readModels.backfill(readModel);
			case "switch" -> this.readModels.switchTo(readModel);
			case "rollback" -> this.readModels.rollback(readModel);
			case "retire" -> this.readModels.retire(readModel);
			case "adopt" -> this.readModels.adopt(readModel);
			case "diff" -> this.diffs.diff(wanted, wait);
			case "cancel" -> this.readModels.cancel(readModel);
			case "reconcile" ->
				this.checks.reconcile(new CheckChange(wanted, readModel.generation(), check, readModel.expires()));
			default -> null;
		};
	}

	private static WebEndpointResponse<Object> answer(JsonResponses.Answer answer) {
		return JsonResponses.of(answer, LOG, "projectors");
	}

}
