package dev.eventing.sdk.operator;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.LettersChangedException;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Handles requests of operators about dead letters: checks permissions and arguments,
 * calls {@link DeadLetters}, and returns the views that are sent. Each call runs one or
 * several transactions on the caller's thread. Thread-safe.
 *
 * <p>
 * A given tenant is the scope of a call: the call does not see letters of other tenants.
 * Null means all tenants.
 */
public final class DeadLetterOperations {

	/** The maximum number of letters of the same key in the view of a letter. */
	static final int MOST_OF_A_KEY = 100;

	private static final int MOST_INTERVALS = 1000;

	private final DeadLetters letters;

	private final OperatorRules rules;

	public DeadLetterOperations(DeadLetters letters, OperatorRules rules) {
		this.letters = letters;
		this.rules = rules;
	}

	/** The rules that this object applies. */
	public OperatorRules rules() {
		return this.rules;
	}

	/**
	 * The letters that match, newest first.
	 * @param after the {@code next} of the previous page, or null for the first page
	 * @param limit the maximum number of letters
	 */
	public LetterList list(@Nullable String tenant, Selection selection, @Nullable Long after, int limit) {
		check(limit >= 1 && limit <= DeadLetters.MAX_PAGE,
				"'limit' must be 1 to " + DeadLetters.MAX_PAGE + ", was " + limit + ".");
		return selection.isNothing() ? new LetterList(List.of(), null)
				: LetterList.of(within(tenant).find(selection.filter(), after, limit));
	}

	/** All data of a letter; empty if there is no such letter in the scope. */
	public Optional<LetterView> letter(@Nullable String tenant, UUID letterId) {
		DeadLetters reach = within(tenant);
		Optional<LetterRow> row = reach.find(DeadLetterFilter.of(letterId), null, 1)
			.letters()
			.stream()
			.findFirst()
			.map(LetterRow::of);
		return row.flatMap((found) -> reach.get(letterId)
			.map((letter) -> LetterView.of(letter, found, this.rules, reach.audit(letterId), sameKey(letter),
					reach.redriver(letter.projector()).map(RedriveNode::of).orElse(null))));
	}

	private List<LetterRow> sameKey(DeadLetter letter) {
		TenantId tenant = letter.tenantId();
		if (letter.orderingKey() == null || tenant == null) {
			return List.of();
		}
		DeadLetterFilter key = DeadLetterFilter.ALL.withProjector(letter.projector())
			.withOrderingKey(letter.orderingKey());
		return this.letters.scopedTo(tenant).oldest(key, MOST_OF_A_KEY).stream().map(LetterRow::of).toList();
	}

	/**
	 * Counts of the letters that match.
	 * @param interval the length of each interval of the counts over time
	 * @param intervals the number of intervals up to now
	 */
	public StatsView stats(@Nullable String tenant, Selection selection, Duration interval, int intervals) {
		check(interval.toSeconds() >= 1, "'interval' must be at least one second, was " + interval + ".");
		check(intervals >= 1 && intervals <= MOST_INTERVALS,
				"'intervals' must be 1 to " + MOST_INTERVALS + ", was " + intervals + ".");
		return StatsView.of(within(tenant).stats(selection.filter(), interval, intervals));
	}

	/** The progress of a redrive. */
	public ProgressView progress(@Nullable String tenant, UUID redriveId) {
		return ProgressView.of(within(tenant).progress(redriveId));
	}

	/**
	 * Requests a redrive, or plans it for a dry run, which is not a change.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public RedriveView redrive(Requester by, LetterBody.Redrive change) {
		DeadLetters reach = reach(by, change);
		Integer ratePerSecond = change.ratePerSecond();
		check(ratePerSecond == null || ratePerSecond >= 1,
				"'ratePerSecond' must be at least 1, was " + ratePerSecond + ".");
		DeadLetterFilter filter = change.selection().filter();
		if (change.selection().isNothing()) {
			return RedriveView.of(new Redrive(null, 0, 0, Map.of()), List.of());
		}
		Redrive redrive = change.dryRun() ? reach.plan(filter)
				: reach.redrive(new RedriveRequest(filter, actor(by), ratePerSecond));
		return RedriveView.of(redrive, reach);
	}

	/**
	 * Discards open letters, or counts them for a dry run, which is not a change.
	 * @throws LettersChangedException if more letters match than may be discarded
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public DiscardView discard(Requester by, LetterBody.Discard change) {
		DeadLetters reach = reach(by, change);
		if (change.selection().isNothing()) {
			return new DiscardView(0, change.dryRun());
		}
		DeadLetterFilter filter = change.selection().filter();
		if (change.dryRun()) {
			return new DiscardView(reach.planDiscard(filter), true);
		}
		long most = (change.most() != null) ? change.most() : Long.MAX_VALUE;
		return new DiscardView(reach.discard(filter, most, actor(by), reason(change.reason())), false);
	}

	/**
	 * Gives a letter another payload for its redrives.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public EditView edit(Requester by, UUID letterId, LetterBody.Edit change) {
		checkWrite();
		String payload = change.payload();
		within(by.tenant()).edit(letterId, (payload != null) ? payload.getBytes(StandardCharsets.UTF_8) : null,
				actor(by), reason(change.reason()));
		return new EditView(letterId);
	}

	private DeadLetters reach(Requester by, LetterBody.OfSeveral change) {
		if (!change.dryRun()) {
			checkWrite();
		}
		check(change.all() || !change.selection().isEverything(),
				"Nothing says which letters are meant. Consider naming letters or a projector, or \"all\": true.");
		return within(by.tenant());
	}

	private void checkWrite() {
		if (!this.rules.writeEnabled()) {
			throw WriteRefusedException.disabled();
		}
	}

	private DeadLetters within(@Nullable String tenant) {
		if (tenant == null || tenant.isEmpty()) {
			return this.letters;
		}
		TenantId wanted = TenantId.of(tenant);
		check(this.letters.scope() == null || wanted.equals(this.letters.scope()),
				"Letters of tenant '" + wanted + "' are not accessible here.");
		return this.letters.scopedTo(wanted);
	}

	private static String actor(Requester by) {
		return required(by.actor(), "The change has no actor. Consider logging in, or naming an \"actor\".");
	}

	private static String reason(@Nullable String reason) {
		return required(reason, "A \"reason\" is needed, for the audit.");
	}

	private static String required(@Nullable String text, String otherwise) {
		if (text == null || text.isBlank()) {
			throw new InvalidRequestException(otherwise);
		}
		return text;
	}

	private static void check(boolean condition, String otherwise) {
		if (!condition) {
			throw new InvalidRequestException(otherwise);
		}
	}

}
