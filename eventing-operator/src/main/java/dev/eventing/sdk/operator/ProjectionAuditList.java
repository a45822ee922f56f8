package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.projection.ProjectionAuditEntry;

/**
 * The actions on a projector and its read model.
 *
 * @param audit the last actions, oldest first
 */
public record ProjectionAuditList(List<ProjectionAuditEntry> audit) {
}
