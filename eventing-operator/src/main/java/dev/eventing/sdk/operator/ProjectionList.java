package dev.eventing.sdk.operator;

import java.util.List;

/**
 * The read models of all projectors.
 *
 * @param projections the read models by the names of their projectors, one for each
 * generation that a projector has
 */
public record ProjectionList(List<ProjectionRow> projections) {
}
