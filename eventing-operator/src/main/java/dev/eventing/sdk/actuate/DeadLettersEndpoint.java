package dev.eventing.sdk.actuate;

import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.operator.Change;
import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.EditView;
import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.LetterAudit;
import dev.eventing.sdk.operator.Problem;
import dev.eventing.sdk.operator.RequestTexts;
import dev.eventing.sdk.operator.Requester;
import dev.eventing.sdk.operator.Selection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Dead letters over HTTP, at {@code /actuator/eventing-deadletters}. Everyone with access
 * to the endpoint can read. Changes are rejected unless
 * {@code eventing.deadletters.write-enabled} is true. Payloads are omitted unless
 * {@code eventing.deadletters.show-payload} is true. {@code tenant} is the scope of a
 * call: the call does not see letters of other tenants.
 *
 * <pre>
 * GET                        letters, newest first, by pages
 * GET  /stats                counts by projector, tenant, type, error, and over time
 * GET  /{letterId}           all data of a letter, including its audit
 * GET  /{letterId}/audit     the audit of a letter
 * GET  /redrives/{redriveId} the progress of a redrive
 * POST /redrive              redrives letters
 * POST /discard              discards letters
 * POST /edit                 sets another payload for a letter
 * </pre>
 *
 * <p>
 * Each call runs on the caller's thread. The actor of a change is the logged-in user,
 * else the given {@code actor}. An invalid call is answered with a {@link Problem} and
 * its status.
 */
@WebEndpoint(id = DeadLettersEndpoint.ID)
public final class DeadLettersEndpoint {

	/** The endpoint's id; Boot warns of ids with a dash. */
	public static final String ID = "eventingDeadletters";

	/** The last part of its URL. */
	public static final String PATH = "eventing-deadletters";

	private static final Logger LOG = LoggerFactory.getLogger(DeadLettersEndpoint.class);

	private final DeadLetterOperations operations;

	public DeadLettersEndpoint(DeadLetterOperations operations) {
		this.operations = operations;
	}

	/**
	 * Letters, newest first.
	 * @param after the {@code next} of the previous page
	 * @param limit the maximum number of letters; 50 by default
	 */
	@ReadOperation
	public WebEndpointResponse<Object> list(@Nullable String tenant, @Nullable String projector, @Nullable String type,
			@Nullable String error, @Nullable String key, @Nullable DeadLetterStatus status,
			@Nullable Instant deadAfter, @Nullable Instant deadBefore, @Nullable Long after, @Nullable Integer limit) {
		Selection selection = new Selection(null, projector, type, error, key, status, deadAfter, deadBefore);
		return answer(() -> this.operations.list(tenant, selection, after, (limit != null) ? limit : 50));
	}

	/**
	 * The resources below the endpoint: counts, a letter, its audit, or a redrive.
	 * @param interval the length of each interval of the counts over time, such as
	 * {@code 1h}, the default
	 * @param intervals the number of intervals; 24 by default
	 */
	@ReadOperation
	public WebEndpointResponse<Object> read(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String tenant, @Nullable String projector, @Nullable String type, @Nullable String error,
			@Nullable String key, @Nullable DeadLetterStatus status, @Nullable Instant deadAfter,
			@Nullable Instant deadBefore, @Nullable String interval, @Nullable Integer intervals) {
		Selection selection = new Selection(null, projector, type, error, key, status, deadAfter, deadBefore);
		return answer(() -> switch (String.join("/", path).replaceAll("[0-9a-fA-F-]{36}", "*")) {
			case "stats" -> this.operations.stats(tenant, selection, RequestTexts.interval(interval),
					(intervals != null) ? intervals : 24);
			case "*" -> this.operations.letter(tenant, id(path[0])).orElse(null);
			case "*/audit" -> this.operations.letter(tenant, id(path[0]))
				.map((letter) -> new LetterAudit(letter.audit()))
				.orElse(null);
			case "redrives/*" -> this.operations.progress(tenant, id(path[1]));
			default -> null;
		});
	}

	/**
	 * A change: {@code redrive}, {@code discard} or {@code edit}. The parameters are the
	 * request's: Actuator binds each by its name, and no objects.
	 * @param letterIds the letters that are meant, or the one to edit; several with
	 * commas between them, since Actuator takes no arrays
	 * @param all must be true where nothing else says which letters are meant
	 * @param dryRun whether only to count
	 * @param reason the reason of a discard or an edit
	 * @param payload the new payload as text; without it the original is restored
	 */
	@WriteOperation
	public WebEndpointResponse<Object> change(@Selector String change, SecurityContext security,
			@Nullable String tenant, UUID @Nullable [] letterIds, @Nullable String projector, @Nullable String type,
			@Nullable String error, @Nullable String key, @Nullable DeadLetterStatus status,
			@Nullable Instant deadAfter, @Nullable Instant deadBefore, @Nullable Boolean all, @Nullable Boolean dryRun,
			@Nullable Integer ratePerSecond, @Nullable String reason, @Nullable String payload,
			@Nullable String actor) {
		Selection selection = new Selection((letterIds != null) ? List.of(letterIds) : null, projector, type, error,
				key, status, deadAfter, deadBefore);
		Change wanted = new Change(selection, Boolean.TRUE.equals(all), Boolean.TRUE.equals(dryRun), reason, payload,
				ratePerSecond);
		Requester by = new Requester(tenant, actor(security, actor));
		return answer(() -> switch (change) {
			case "redrive" -> this.operations.redrive(by, wanted);
			case "discard" -> this.operations.discard(by, wanted);
			case "edit" -> edit(by, wanted);
			default -> null;
		});
	}

	private EditView edit(Requester by, Change wanted) {
		List<UUID> letters = wanted.selection().letterIds();
		if (letters == null || letters.size() != 1) {
			throw new InvalidRequestException("An edit needs one letter, named by \"letterIds\".");
		}
		return this.operations.edit(by, letters.get(0), wanted);
	}

	private static @Nullable String actor(SecurityContext security, @Nullable String given) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? principal.getName() : given;
	}

	private static UUID id(String text) {
		try {
			return UUID.fromString(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException("'" + text + "' is not an id. Consider one of the list.");
		}
	}

	private static WebEndpointResponse<Object> answer(JsonResponses.Answer answer) {
		return JsonResponses.of(answer, LOG, "letters");
	}

}
