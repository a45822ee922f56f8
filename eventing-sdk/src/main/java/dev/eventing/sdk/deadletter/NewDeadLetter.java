package dev.eventing.sdk.deadletter;

import java.time.Duration;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event that a projector gives up, with everything the projector knows about it.
 *
 * @param projector the projector
 * @param identity the identity of the event
 * @param event subject, headers and payload as they were delivered
 * @param place the stream and sequence of the event
 * @param cause why the projector gives it up
 * @param parkingKey the {@link ParkingKey} of later events that are parked after it, or
 * null if none are
 * @param redriveAfter the delay before an automatic redrive, or null if there is none
 */
public record NewDeadLetter(ProjectorId projector, EventIdentity identity, RawEvent event, EventPlace place,
		LetterCause cause, @Nullable String parkingKey, @Nullable Duration redriveAfter) {
}
