package dev.eventing.sdk.event;

import dev.eventing.sdk.event.ReadResult.Reason;

/**
 * Why an event cannot be read.
 *
 * @param reason the kind of error
 * @param detail what is wrong and what to change; never any part of the payload
 */
record ReadError(Reason reason, String detail) {

}
