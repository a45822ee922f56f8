package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.deadletter.AuditEntry;

/**
 * The actions of operators on a letter.
 *
 * @param audit all actions, oldest first
 */
public record LetterAudit(List<AuditEntry> audit) {
}
