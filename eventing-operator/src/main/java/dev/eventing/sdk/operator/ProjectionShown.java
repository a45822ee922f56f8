package dev.eventing.sdk.operator;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The read model of a projector.
 *
 * @param projector the projector
 * @param request the last request for the read model; null if there was none
 * @param ddl the statements that give the application's role the rights that the request
 * waits for; empty if it waits for none
 * @param generations the generations, newest first
 */
public record ProjectionShown(ProjectorView projector, @Nullable RequestView request, List<String> ddl,
		List<GenerationView> generations) {
}
