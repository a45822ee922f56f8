package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.ParkingKey;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.JdbcAttempts.Attempt;
import org.jspecify.annotations.Nullable;

/** Creates dead letters from what is known of events. Thread-safe. */
public final class DeadLetterFactory {

	private final ProjectorId projector;

	private final boolean parksKeys;

	public DeadLetterFactory(ProjectorId projector, DeadLetterPolicy options) {
		this.projector = projector;
		this.parksKeys = options.parksKeys();
	}

	/**
	 * Returns the letter of an event that is given up.
	 * @param redriveAfter the time until its automatic redrive, or null for none
	 */
	public NewDeadLetter dead(Work work, String reason, Failure failure, Attempt attempt,
			@Nullable Duration redriveAfter) {
		Instant firstFailedAt = (attempt.number() > 0) ? attempt.firstAt() : Instant.now();
		return letter(work, reason, failure, new Attempt(attempt.number(), firstFailedAt), redriveAfter);
	}

	/**
	 * Returns the letter of an event that is parked because of a dead letter of its key.
	 */
	public NewDeadLetter behind(Work work) {
		return letter(work, LetterCause.BEHIND, null, new Attempt(0, Instant.now()), null);
	}

	private NewDeadLetter letter(Work work, String reason, @Nullable Failure failure, Attempt attempt,
			@Nullable Duration redriveAfter) {
		return new NewDeadLetter(this.projector, known(work.routed()), work.routed().source().raw(), work.place(),
				new LetterCause(reason, failure, attempt.number(), attempt.firstAt()), parkingKey(work.routed()),
				redriveAfter);
	}

	/** The key by which later events are parked after it, or null if none are. */
	public @Nullable String parkingKey(RoutedEvent routed) {
		return (this.parksKeys && routed.key() != null) ? ParkingKey.of(routed.key()) : null;
	}

	/**
	 * Returns what is known of the event, with its {@link RoutedEvent#ledgerId() id in
	 * the ledger}. The key is the one that letters wait on.
	 */
	public static EventIdentity known(RoutedEvent routed) {
		if (routed.read() instanceof ReadResult.Unreadable unreadable) {
			String key = routed.keyInTenant();
			return new EventIdentity(unreadable.tenantId(), routed.ledgerId(), unreadable.type(),
					(key != null) ? key : unreadable.key());
		}
		Event<?> event = routed.event();
		return new EventIdentity(event.tenantId(), event.id(), event.type(), routed.keyInTenant());
	}

	/** Returns the event as text for the log. */
	public static String describe(EventIdentity event) {
		return "event " + event.eventId() + " (" + ((event.type() != null) ? Quoted.plain(event.type()) : "no type")
				+ ") " + whose(event.tenantId());
	}

	/** Returns the tenant as text for the log. */
	public static String whose(@Nullable TenantId tenantId) {
		return (tenantId != null) ? "of tenant '" + tenantId + "'" : "without a tenant";
	}

}
