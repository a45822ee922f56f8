package dev.eventing.sdk.operator;

import java.util.List;

/**
 * The generations of a projector's read model.
 *
 * @param generations the generations, newest first
 */
public record GenerationList(List<GenerationView> generations) {
}
