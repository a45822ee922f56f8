package dev.eventing.sdk.projector;

/**
 * What the SDK offers to one call of a handler. All of it is for the thread of the call,
 * until the handler returns.
 *
 * @param writer queues the handler's writes
 * @param effects appends events; refuses to if the handler does not declare it
 * @param mode why the handler gets its events
 */
public record HandlerResources(ReadModelWriter writer, Effects effects, HandlerMode mode) {
}
