package dev.eventing.sdk.operator;

import java.util.List;

/**
 * The rights that a request for a read model waits for.
 *
 * @param projector the projector's name
 * @param statements the statements that give the application's role these rights; empty
 * if it waits for none
 * @param run whether the statements were run
 */
public record ProjectionDdl(String projector, List<String> statements, boolean run) {
}
