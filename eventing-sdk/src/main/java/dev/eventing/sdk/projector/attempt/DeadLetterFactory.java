package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.deadletter.EventPlace;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.ParkingKey;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UuidV5;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.delivery.Place;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.JdbcAttempts.Attempt;
import org.jspecify.annotations.Nullable;

/** Fills in dead letters with what is known of events. Thread-safe. */
public final class DeadLetterFactory {

	private final String projector;

	private final boolean parksKeys;

	public DeadLetterFactory(String projector, DeadLetterPolicy options) {
		this.projector = projector;
		this.parksKeys = options.parksKeys();
	}

	/** The letter of an event that is given up. */
	public NewDeadLetter dead(Work work, String reason, Failure failure, Attempt attempt,
			@Nullable Duration redriveAfter) {
		Instant firstFailedAt = (attempt.number() > 0) ? attempt.firstAt() : Instant.now();
		return letter(work, reason, failure, new Attempt(attempt.number(), firstFailedAt), redriveAfter);
	}

	/** The letter of an event that is parked behind a dead one of its key. */
	public NewDeadLetter behind(Work work) {
		return letter(work, LetterCause.BEHIND, null, new Attempt(0, Instant.now()), null);
	}

	private NewDeadLetter letter(Work work, String reason, @Nullable Failure failure, Attempt attempt,
			@Nullable Duration redriveAfter) {
		Place place = work.place();
		return new NewDeadLetter(this.projector, known(work), work.origin().raw(),
				new EventPlace(place.stream(), place.sequence(), place.storedAt()),
				new LetterCause(reason, failure, attempt.number(), attempt.firstAt()), parkingKey(work), redriveAfter);
	}

	/** What later events of its key wait behind it by, or null: none do. */
	public @Nullable String parkingKey(Work work) {
		return (this.parksKeys && work.key() != null) ? ParkingKey.of(work.key()) : null;
	}

	/**
	 * What could be told of the event; an id that is the same at every delivery if it has
	 * none.
	 */
	public static EventIdentity known(Work work) {
		if (work.read() instanceof ReadResult.Unreadable unreadable) {
			// without a tenant an id says nothing: two such events must not be taken for
			// one
			UUID id = (unreadable.eventId() != null && unreadable.tenantId() != null) ? unreadable.eventId()
					: placeId(work.place());
			return new EventIdentity(unreadable.tenantId(), id, unreadable.type(), unreadable.key());
		}
		Event<?> event = work.event();
		return new EventIdentity(event.tenantId(), event.id(), event.type(), event.orderingKey());
	}

	private static UUID placeId(Place place) {
		return UuidV5.of(place.stream(), place.storedAt() + "/" + place.sequence());
	}

	/** As a line of a log says which event it is. */
	public static String describe(EventIdentity event) {
		return "event " + event.eventId() + " (" + ((event.type() != null) ? Quoted.plain(event.type()) : "no type")
				+ ") " + whose(event.tenantId());
	}

	/** As a line of a log says whose event it is. */
	public static String whose(@Nullable TenantId tenantId) {
		return (tenantId != null) ? "of tenant '" + tenantId + "'" : "without a tenant";
	}

}
