package dev.eventing.sdk.operator;

/**
 * A requested change of a projector or of its read model.
 *
 * @param <B> what the change needs beside the projector
 * @param projector the name of the projector
 * @param by who asks; within the scope of a tenant nothing is changed
 * @param body what is asked for
 */
public record ProjectorChange<B extends ProjectorBody>(String projector, Requester by, B body) {
}
