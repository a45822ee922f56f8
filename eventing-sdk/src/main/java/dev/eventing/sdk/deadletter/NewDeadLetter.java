package dev.eventing.sdk.deadletter;

import java.time.Duration;

import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event that a projector gives up on, with all it knows about it.
 *
 * @param projector the projector's name
 * @param identity which event it is
 * @param event subject, headers and payload as they were delivered
 * @param place where it lies
 * @param cause why it is given up
 * @param parkingKey the {@link ParkingKey} that later events wait behind, or null: none
 * do
 * @param redriveAfter when it is redriven without being asked for, or null: it is not
 */
public record NewDeadLetter(String projector, EventIdentity identity, RawEvent event, EventPlace place,
		LetterCause cause, @Nullable String parkingKey, @Nullable Duration redriveAfter) {
}
